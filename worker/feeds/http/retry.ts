import type { HttpFailure } from './failure.js';

/**
 * Milliseconds to wait before the next attempt; undefined where there is none: the attempts are used up, the
 * failure would only repeat, or the server asks for more patience than there is.
 */
export function waitBeforeRetry(
  failure: HttpFailure,
  attempt: number,
  limits: { attempts: number; backOff: number; longestWait: number },
): number | undefined {
  if (attempt >= limits.attempts || !mayPass(failure)) return undefined;
  const asked = failure.retryAfter ?? 0;
  if (asked > limits.longestWait) return undefined;
  const grown = limits.backOff * 2 ** (attempt - 1);
  return Math.max(asked, grown / 2 + (Math.random() * grown) / 2);
}

function mayPass(failure: HttpFailure): boolean {
  if (failure.reason === 'connection') return true;
  return (
    failure.reason === 'status' &&
    failure.status !== undefined &&
    (failure.status === 429 || failure.status >= 500)
  );
}

/** A `Retry-After` header, seconds or an HTTP date, as milliseconds from now; undefined where it says nothing. */
export function retryAfterOf(header: string | string[] | undefined, now: number): number | undefined {
  const text = [header ?? ''].flat()[0]?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
