/** The kind of an upstream's failure in logs and metrics. */
export type UpstreamErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'status'
  | 'limited'
  | 'redirect'
  | 'too-large'
  | 'invalid'
  | 'open-circuit'
  | 'busy';

/** The limit of the cool-down that an upstream may request. */
const LONGEST_COOL_DOWN_MS = 900_000;

interface UpstreamErrorOptions {
  /** How long to send the upstream no requests, in milliseconds. */
  coolDownMs?: number | undefined;
  /** Whether an immediate retry may help: the connection broke, or the upstream failed by itself. */
  retryable?: boolean;
}

/**
 * An upstream returned no usable response. The message is only for the log: it contains no text of the upstream, nothing
 * that a client requested, and no key.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly kind: UpstreamErrorKind;
  readonly retryable: boolean;
  /** At most fifteen minutes; 0 if a request may be sent at once. */
  readonly coolDownMs: number;

  constructor(kind: UpstreamErrorKind, message: string, options: UpstreamErrorOptions = {}) {
    super(message);
    this.kind = kind;
    this.retryable = options.retryable ?? false;
    this.coolDownMs = Math.min(options.coolDownMs ?? 0, LONGEST_COOL_DOWN_MS);
  }
}
