import {
  addDays,
  type CalendarDate,
  earlier,
  firstOfMonth,
  firstOfQuarter,
  isoWeekday,
  lastOfMonth,
  lastOfQuarter,
} from './dates.js';

/**
 * For how long an official rate is valid, from the day that it is dated:
 * - `day`: for that day, from a Saturday to the Monday, and over holidays until the next one
 * - `week`: to the Saturday, from a Sunday on
 * - `month`: to the end of the calendar month
 * - `month_end`: set on the last day of a month, to the day before the last one of the next month
 * - `quarter`: set on the last day of a quarter, to the day before the last one of the next quarter
 */
export const VALIDITY_PERIODS = ['day', 'week', 'month', 'month_end', 'quarter'] as const;
export type ValidityPeriod = (typeof VALIDITY_PERIODS)[number];

/** The rates of a day hold over Easter, or from Christmas over a weekend: for no more days than these. */
export const MOST_DAYS = 7;

/** The earliest date of a rate that is valid on the day. But for the rates of days it is the first day of a period. */
export function periodStart(period: ValidityPeriod, day: CalendarDate): CalendarDate {
  switch (period) {
    case 'day':
      return addDays(day, 1 - MOST_DAYS);
    case 'week':
      return addDays(day, -(isoWeekday(day) % 7));
    case 'month':
      return firstOfMonth(day);
    case 'month_end':
      return day === lastOfMonth(day) ? day : addDays(firstOfMonth(day), -1);
    case 'quarter': {
      const end = lastOfQuarter(day);
      return day === end ? day : addDays(firstOfQuarter(day), -1);
    }
  }
}

/** Last day of the period that holds the day. A rate that is set in it is valid to then, or until the next one. */
export function periodEnd(period: ValidityPeriod, day: CalendarDate): CalendarDate {
  switch (period) {
    case 'day':
      return isoWeekday(day) < 6 ? day : addDays(day, 8 - isoWeekday(day));
    case 'week':
      return addDays(periodStart(period, day), 6);
    case 'month':
      return lastOfMonth(day);
    case 'month_end':
      return addDays(lastOfMonth(addDays(periodStart(period, day), 1)), -1);
    case 'quarter':
      return addDays(lastOfQuarter(addDays(periodStart(period, day), 1)), -1);
  }
}

/** Last day on which the rates of a day are valid, given the day of the next ones; undefined where none are known yet. */
export function heldUntil(day: CalendarDate, next: CalendarDate | undefined): CalendarDate {
  return next === undefined ? periodEnd('day', day) : earlier(addDays(next, -1), addDays(day, MOST_DAYS - 1));
}
