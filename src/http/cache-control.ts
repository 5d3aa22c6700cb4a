import type { Clock } from '../../core/domain/clock.js';
import { MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';

const LONGEST_MOVING = 300;

/** For what lies wholly in the past and changes only by a correction. */
export const CLOSED = 'public, max-age=86400, stale-while-revalidate=86400, stale-if-error=86400';

/** For what moves with the clock: five minutes, and never past the next UTC midnight. */
export function moving(clock: Clock): string {
  const instant = clock().getTime();
  const untilMidnight = Math.floor((MILLISECONDS_PER_DAY - (instant % MILLISECONDS_PER_DAY)) / 1000);
  return `public, max-age=${Math.min(LONGEST_MOVING, untilMidnight)}`;
}
