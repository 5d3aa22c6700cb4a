import { HttpClientError } from '../../../core/http-client/http-client-error.js';

/** The longest `retry-after` that a run waits for by default, in milliseconds. */
export const LONGEST_WAIT_MS = 60_000;

export interface RetryLimits {
  attempts: number;
  /** The delay before the second attempt, in milliseconds. Each further delay is about twice as long. */
  backOff: number;
  /** The longest `Retry-After` to wait for, in milliseconds. */
  longestWait: number;
}

/**
 * Retries after temporary errors, with jittered delays or that of `Retry-After`. Throws the last error, or that of `pause`.
 */
export async function withRetries<T>(
  limits: RetryLimits,
  pause: (milliseconds: number) => Promise<void>,
  send: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const askedMs = error instanceof HttpClientError ? (error.retryAfterMs ?? 0) : 0;
      if (attempt >= limits.attempts || !mayPass(error) || askedMs > limits.longestWait) throw error;
      await pause(waitBefore(attempt, askedMs, limits.backOff));
    }
  }
}

/** Milliseconds before an attempt (1 is the first retry): half to all of the back-off, or as requested. */
export function waitBefore(attempt: number, askedMs: number, backOff: number): number {
  const grown = backOff * 2 ** (attempt - 1);
  return Math.max(askedMs, grown / 2 + (Math.random() * grown) / 2);
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof HttpClientError)) return false;
  const { reason, status = 0 } = error;
  if (status > 0 && (reason === 'status' || reason === 'proxy')) return status === 429 || status >= 500;
  return reason === 'connection' || reason === 'malformed' || reason === 'proxy';
}
