import { handleWhen, retry } from 'cockatiel';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';

/** The longest `retry-after` that a run waits for by default, in milliseconds. */
export const LONGEST_WAIT_MS = 60_000;

export interface RetryLimits {
  /** The total number of attempts. */
  attempts: number;
  /** The delay before the second attempt, in milliseconds. Each further delay is about twice as long. */
  backOff: number;
  /** The longest `Retry-After` to wait for, in milliseconds. */
  longestWait: number;
}

/**
 * Runs a request, and retries it after a temporary error, with growing, jittered delays or after the delay in `Retry-After`.
 * `pause` waits for the given milliseconds. Throws the last error, or the error of `pause`.
 */
export function createRetries(
  limits: RetryLimits,
  pause: (milliseconds: number) => Promise<void>,
): <T>(send: () => Promise<T>) => Promise<T> {
  const policy = retry(
    handleWhen((error) => mayPass(error) && retryAfterOf(error) <= limits.longestWait),
    { maxAttempts: limits.attempts - 1 },
  );
  return (send) => {
    let askedMs = 0;
    return policy.execute(async ({ attempt }) => {
      // Waits here, because the policy's own back-off can't be aborted.
      if (attempt > 0) await pause(waitBefore(attempt, askedMs, limits.backOff));
      try {
        return await send();
      } catch (error) {
        askedMs = retryAfterOf(error);
        throw error;
      }
    });
  };
}

/** Milliseconds before an attempt (1 is the first retry): half to all of the back-off, or as requested. */
export function waitBefore(attempt: number, askedMs: number, backOff: number): number {
  const grown = backOff * 2 ** (attempt - 1);
  return Math.max(askedMs, grown / 2 + (Math.random() * grown) / 2);
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof HttpClientError)) return false;
  const { reason, status = 0 } = error;
  if (reason === 'status') return status === 429 || status >= 500;
  return reason === 'connection' || reason === 'malformed';
}

function retryAfterOf(error: unknown): number {
  return error instanceof HttpClientError ? (error.retryAfterMs ?? 0) : 0;
}
