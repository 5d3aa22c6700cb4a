/** What went wrong with an upstream, as named in logs and metrics. */
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

/** An upstream that asks for a longer cool-down gets this one. */
const LONGEST_COOL_DOWN_MS = 900_000;

interface UpstreamErrorOptions {
  /** How long to send the upstream no requests, in milliseconds. */
  coolDownMs?: number | undefined;
  /** Sending it again at once may help: the connection broke, or the upstream failed on its own. */
  retryable?: boolean;
}

/**
 * An upstream gave no usable response. The message is for the log alone: it holds nothing that the upstream wrote,
 * nothing that a client asked for, and no key.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly kind: UpstreamErrorKind;
  readonly retryable: boolean;
  /** At most fifteen minutes; 0 where it may be asked again at once. */
  readonly coolDownMs: number;

  constructor(kind: UpstreamErrorKind, message: string, options: UpstreamErrorOptions = {}) {
    super(message);
    this.kind = kind;
    this.retryable = options.retryable ?? false;
    this.coolDownMs = Math.min(options.coolDownMs ?? 0, LONGEST_COOL_DOWN_MS);
  }
}
