import { type CalendarDate, MILLISECONDS_PER_DAY, toCalendarDate } from './dates.js';

/** The current time. It is passed in, so that tests can choose it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Today's calendar date in UTC. */
export function today(clock: Clock): CalendarDate {
  return toCalendarDate(clock());
}

/** The same as a day number: days since 1970-01-01. */
export function todayNumber(clock: Clock): number {
  return dayOf(clock().getTime());
}

/** The day number in UTC of an instant, in milliseconds since 1970. */
export function dayOf(instant: number): number {
  return Math.floor(instant / MILLISECONDS_PER_DAY);
}
