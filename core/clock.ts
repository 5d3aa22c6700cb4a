import { type CalendarDate, toCalendarDate } from './dates.js';

/** Where the time comes from. Passed in everywhere, so that a test can stand on any day. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** The calendar date it is in UTC. */
export function today(clock: Clock): CalendarDate {
  return toCalendarDate(clock());
}
