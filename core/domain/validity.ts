import {
  addDays,
  type CalendarDate,
  dayNumber,
  earlier,
  firstOfMonth,
  firstOfQuarter,
  fromDayNumber,
  isoWeekday,
  lastOfMonth,
  lastOfQuarter,
} from './dates.js';
import { FIRST_DAY, LAST_DAY } from './periods.js';

/**
 * How long an official rate is valid, starting on its date:
 * - `day`: for that day, from Saturday to Monday, and over holidays until the next rate
 * - `week`: from Sunday to Saturday
 * - `month`: to the end of the calendar month
 * - `month_end`: set on the last day of a month, to the day before the last day of the next month
 * - `quarter`: set on the last day of a quarter, to the day before the last day of the next quarter
 */
export const VALIDITY_PERIODS = ['day', 'week', 'month', 'month_end', 'quarter'] as const;
export type ValidityPeriod = (typeof VALIDITY_PERIODS)[number];

/** Daily rates remain valid over Easter, or from Christmas over a weekend: for at most this many days. */
export const MOST_DAYS = 7;

/** The earliest date of a rate valid on the day. For all periods but `day`, the first day of a period. */
export const periodStart: Record<ValidityPeriod, (day: CalendarDate) => CalendarDate> = {
  day: (day) => shifted(day, 1 - MOST_DAYS),
  week: (day) => shifted(day, -(isoWeekday(day) % 7)),
  month: firstOfMonth,
  month_end: (day) => (day === lastOfMonth(day) ? day : shifted(firstOfMonth(day), -1)),
  quarter: (day) => (day === lastOfQuarter(day) ? day : shifted(firstOfQuarter(day), -1)),
};

/** A rate set in the period is valid until then, or until the next rate. */
export const periodEnd: Record<ValidityPeriod, (day: CalendarDate) => CalendarDate> = {
  day: (day) => (isoWeekday(day) < 6 ? day : shifted(day, 8 - isoWeekday(day))),
  week: (day) => shifted(periodStart.week(day), 6),
  month: lastOfMonth,
  month_end: (day) => shifted(lastOfMonth(shifted(periodStart.month_end(day), 1)), -1),
  quarter: (day) => shifted(lastOfQuarter(shifted(periodStart.quarter(day), 1)), -1),
};

/** Does not pass the first and the last day that there are. */
function shifted(day: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(Math.min(LAST_DAY, Math.max(FIRST_DAY, dayNumber(day) + days)));
}

/** Last day on which a daily rate is valid, given the day of the next rate, if that is known. */
export function heldUntil(day: CalendarDate, next: CalendarDate | undefined): CalendarDate {
  return next === undefined ? periodEnd.day(day) : earlier(addDays(next, -1), addDays(day, MOST_DAYS - 1));
}
