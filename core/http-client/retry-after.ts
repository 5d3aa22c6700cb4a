const SECOND_MS = 1_000;

/** RFC 9110, 10.2.3; `now` in milliseconds since 1970. Libraries for it throw, or read the system's clock. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The oldest of the three date formats has no time zone. All three are in GMT.
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
