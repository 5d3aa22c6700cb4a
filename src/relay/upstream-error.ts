/** What went wrong with an upstream; the name stands in logs and metrics. */
export type FaultKind =
  | 'unreachable'
  | 'timeout'
  | 'status'
  | 'limited'
  | 'redirect'
  | 'too-large'
  | 'misfit'
  | 'open-circuit'
  | 'busy';

interface FaultOptions {
  /** The upstream asks to be left alone for this long. */
  restSeconds?: number | undefined;
  /** Asking again at once may help: the connection broke, or the upstream stumbled over itself. */
  retryable?: boolean;
  cause?: unknown;
}

/**
 * An upstream that gave no usable answer. The message is for the log alone and holds nothing that the upstream
 * wrote, and no key.
 */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly kind: FaultKind;
  readonly retryable: boolean;
  readonly restSeconds: number;

  constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryable = options.retryable ?? false;
    this.restSeconds = options.restSeconds ?? 0;
  }
}
