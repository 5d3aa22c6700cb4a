import {
  addDays,
  type CalendarDate,
  firstOfMonth,
  firstOfQuarter,
  isoWeekday,
  lastOfMonth,
  lastOfQuarter,
} from './dates.js';

/**
 * For how long an official rate is valid, from the day that it is dated:
 * - `week`: to the Saturday, from a Sunday on
 * - `month`: to the end of the calendar month
 * - `month_end`: set on the last day of a month, to the day before the last one of the next month
 * - `quarter`: set on the last day of a quarter, to the day before the last one of the next quarter
 */
export const VALIDITY_PERIODS = ['week', 'month', 'month_end', 'quarter'] as const;
export type ValidityPeriod = (typeof VALIDITY_PERIODS)[number];

/** First day of the period that holds the day. A rate valid on the day is dated between the two. */
export function periodStart(period: ValidityPeriod, day: CalendarDate): CalendarDate {
  switch (period) {
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
