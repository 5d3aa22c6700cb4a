import { type CalendarDate, MILLISECONDS_PER_DAY, toCalendarDate } from './dates.js';

/** Returns the current time. Passed as a parameter so that tests can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** In UTC. */
export function today(clock: Clock): CalendarDate {
  return toCalendarDate(clock());
}

/** In UTC: days since 1970-01-01. */
export function todayNumber(clock: Clock): number {
  return dayOf(clock().getTime());
}

/** In UTC, of an instant in milliseconds since 1970. */
export function dayOf(instant: number): number {
  return Math.floor(instant / MILLISECONDS_PER_DAY);
}
