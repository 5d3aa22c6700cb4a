import type { Clock } from '../../core/domain/clock.js';

const SECOND_MS = 1_000;

/** Seconds that a `retry-after` header asks for, as a number or a date (RFC 9110, 10.2.3); 0 where it says nothing. */
export function retryAfterSeconds(header: string | string[] | undefined, clock: Clock): number {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil((at - clock().getTime()) / SECOND_MS));
}
