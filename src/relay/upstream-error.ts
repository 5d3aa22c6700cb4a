import { unlessAborted } from '../../core/concurrency/within.js';

/** In logs and metrics. */
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

const LONGEST_COOL_DOWN_MS = 900_000;

interface UpstreamErrorOptions {
  coolDownMs?: number | undefined;
  /** Whether an immediate retry may help: the connection broke, or the upstream failed by itself. */
  retryable?: boolean;
}

/** For the log: the message has no text of the upstream, nothing that a client requested, and no key. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly kind: UpstreamErrorKind;
  readonly retryable: boolean;
  /** In milliseconds, at most fifteen minutes. */
  readonly coolDownMs: number;

  constructor(kind: UpstreamErrorKind, message: string, options: UpstreamErrorOptions = {}) {
    super(message);
    this.kind = kind;
    this.retryable = options.retryable ?? false;
    this.coolDownMs = Math.min(options.coolDownMs ?? 0, LONGEST_COOL_DOWN_MS);
  }
}

/** Throws a `timeout` UpstreamError as soon as the signal aborts, even if the work ignores the signal. */
export function withinDeadline<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return unlessAborted(signal, work).catch((error: unknown) => {
    if (!signal.aborted || error !== signal.reason) throw error;
    throw new UpstreamError('timeout', 'no response within the time limit');
  });
}
