import { FIRST_DAY, firstDayOf, isoWeekdayOf, LAST_DAY, lastDayOf } from './dates.js';

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

/** The earliest day of a rate valid on the day. For all periods but `day`, the first day of a period. Day numbers. */
export const periodStart: Record<ValidityPeriod, (day: number) => number> = {
  day: (day) => existing(day + 1 - MOST_DAYS),
  week: (day) => existing(day - (isoWeekdayOf(day) % 7)),
  month: (day) => firstDayOf('month', day),
  month_end: (day) => lastDayUpTo('month', day),
  quarter: (day) => lastDayUpTo('quarter', day),
};

/** A rate set in the period is valid until then, or until the next rate. Day numbers. */
export const periodEnd: Record<ValidityPeriod, (day: number) => number> = {
  day: (day) => (isoWeekdayOf(day) < 6 ? day : existing(day + 8 - isoWeekdayOf(day))),
  week: (day) => existing(periodStart.week(day) + 6),
  month: (day) => lastDayOf('month', day),
  month_end: (day) => existing(lastDayOf('month', lastDayUpTo('month', day) + 1) - 1),
  quarter: (day) => existing(lastDayOf('quarter', lastDayUpTo('quarter', day) + 1) - 1),
};

/** The last day of a month or quarter that is the day itself or the newest before it. */
function lastDayUpTo(period: 'month' | 'quarter', day: number): number {
  return day === lastDayOf(period, day) ? day : existing(firstDayOf(period, day) - 1);
}

/** Does not pass the first and the last day that there are. */
function existing(day: number): number {
  return Math.min(LAST_DAY, Math.max(FIRST_DAY, day));
}

/** Last day on which a daily rate is valid, given the day of the next rate, if that is known. Day numbers. */
export function heldUntil(day: number, next: number | undefined): number {
  return next === undefined ? periodEnd.day(day) : Math.min(next - 1, day + MOST_DAYS - 1);
}
