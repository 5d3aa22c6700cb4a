import {
  type CalendarDate,
  dayNumber,
  firstOfMonth,
  firstOfWeek,
  fromDayNumber,
  lastOfMonth,
} from './dates.js';

/** The period of one row in a range: a day, an ISO week (Monday to Sunday) or a month. */
export type Period = 'day' | 'week' | 'month';

/** Days, both ends included. */
export interface DateRange {
  from: CalendarDate;
  to: CalendarDate;
}

/** Day number of the first day of the period that holds the day. */
export function firstDayOf(period: Period, day: number): number {
  if (period === 'day') return day;
  const date = fromDayNumber(day);
  return dayNumber(period === 'week' ? firstOfWeek(date) : firstOfMonth(date));
}

/** Day number of the last day of the period that holds the day. */
export function lastDayOf(period: Period, day: number): number {
  if (period === 'day') return day;
  return period === 'week' ? firstDayOf('week', day) + 6 : dayNumber(lastOfMonth(fromDayNumber(day)));
}

/** The days widened to whole periods. */
export function wholePeriods(period: Period, { from, to }: DateRange): DateRange {
  return {
    from: fromDayNumber(firstDayOf(period, dayNumber(from))),
    to: fromDayNumber(lastDayOf(period, dayNumber(to))),
  };
}
