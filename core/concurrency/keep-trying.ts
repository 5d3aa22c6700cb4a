import { once } from 'node:events';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';

interface KeepTryingOptions {
  /** Pause before the second attempt, in milliseconds. Later pauses grow and are jittered. */
  firstPauseMs: number;
  longestPauseMs: number;
  signal: AbortSignal;
  /** Whether a retry may help after this error. If not, the error is thrown. By default every error is retried. */
  mayRecover?(error: unknown): boolean;
  /** Called after each failed attempt. The first attempt is number 1. */
  onFailure(error: unknown, attempt: number): void;
}

/** Retries the work until it succeeds. Throws the signal's reason when it aborts, and errors that can't recover. */
export async function keepTrying<T>(work: () => Promise<T>, options: KeepTryingOptions): Promise<T> {
  const { signal, onFailure, mayRecover = () => true } = options;
  signal.throwIfAborted();
  const policy = retry(
    handleWhen((error) => !signal.aborted && mayRecover(error)),
    {
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: new ExponentialBackoff({
        initialDelay: options.firstPauseMs,
        maxDelay: options.longestPauseMs,
      }),
    },
  );
  const over = new AbortController();
  // The policy does not abort its own pauses.
  const aborted = once(signal, 'abort', { signal: over.signal }).then(() => {
    throw signal.reason;
  });
  aborted.catch(() => undefined); // Also remove the listener when the work is done.
  const done = policy.execute(async ({ attempt }) => {
    try {
      return await work();
    } catch (error) {
      if (!signal.aborted && mayRecover(error)) onFailure(error, attempt + 1);
      throw error;
    }
  });
  return Promise.race([done, aborted]).finally(() => over.abort());
}
