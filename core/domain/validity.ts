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

/** The earliest date of a rate that is valid on the day. For all periods but `day`, the first day of a period. */
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

/** Last day of the period that contains the day. A rate set in the period is valid until then, or until the next rate. */
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

/**
 * Last day on which a daily rate is valid, given the day of the next rate; undefined `next` means that it is not known yet.
 */
export function heldUntil(day: CalendarDate, next: CalendarDate | undefined): CalendarDate {
  return next === undefined ? periodEnd('day', day) : earlier(addDays(next, -1), addDays(day, MOST_DAYS - 1));
}
