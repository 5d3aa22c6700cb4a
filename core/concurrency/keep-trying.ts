import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from './within.js';

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
  const { firstPauseMs, longestPauseMs, signal, onFailure, mayRecover = () => true } = options;
  signal.throwIfAborted();
  const tryRepeatedly = async (): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || !mayRecover(error)) throw error;
        onFailure(error, attempt);
      }
      const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs) * (0.5 + Math.random() / 2);
      await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  };
  return unlessAborted(signal, tryRepeatedly());
}
