const SECOND_MS = 1_000;

/**
 * Milliseconds from `now` (milliseconds since 1970) that a `Retry-After` header gives, as a number of seconds or as
 * a date in any form of HTTP (RFC 9110, 10.2.3 and 5.6.7). Undefined where it is absent or neither.
 *
 * Written here because the libraries for it throw on a malformed value or read the system's clock.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The oldest of the three forms of a date names no zone; all three are in GMT.
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
