import { type CalendarDate, MILLISECONDS_PER_DAY, toCalendarDate } from './dates.js';

/** Where the time comes from. Passed in everywhere, so that a test can stand on any day. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** The calendar date it is in UTC. */
export function today(clock: Clock): CalendarDate {
  return toCalendarDate(clock());
}

/** The same as a day number: days since 1970-01-01. */
export function todayNumber(clock: Clock): number {
  return Math.floor(clock().getTime() / MILLISECONDS_PER_DAY);
}
