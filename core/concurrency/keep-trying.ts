import { once } from 'node:events';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';

interface KeepTryingOptions {
  /** Pause before the second attempt, in milliseconds; later ones grow, jittered. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Ends the attempts. */
  signal: AbortSignal;
  /** Whether another attempt may help after this error; otherwise it is thrown. By default it always may. */
  mayRecover?(error: unknown): boolean;
  /** Called after each failed attempt; the first is number 1. */
  onFailure(error: unknown, attempt: number): void;
}

/**
 * Runs the work until it succeeds, however often it fails. Throws the signal's reason as soon as it aborts, and an error
 * after which no other attempt may help.
 */
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
  // The policy does not abort its pauses by itself.
  const aborted = once(signal, 'abort', { signal: over.signal }).then(() => {
    throw signal.reason;
  });
  aborted.catch(() => undefined); // Listening ends too when the work is done.
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
