import {
  type CalendarDate,
  dayNumber,
  firstOfMonth,
  firstOfWeek,
  fromDayNumber,
  lastOfMonth,
} from '../../../core/domain/dates.js';

/** What one row of a range stands for. */
export type Period = 'day' | 'week' | 'month';

/** Day number of the first day of the period that holds the day. */
export function firstDayOf(period: Period, day: number): number {
  return shift(day, period, { week: firstOfWeek, month: firstOfMonth });
}

/** Day number of the last day of the period that holds the day. */
export function lastDayOf(period: Period, day: number): number {
  if (period === 'week') return firstDayOf('week', day) + 6;
  return shift(day, period, { week: firstOfWeek, month: lastOfMonth });
}

function shift(
  day: number,
  period: Period,
  by: Record<'week' | 'month', (date: CalendarDate) => CalendarDate>,
): number {
  return period === 'day' ? day : dayNumber(by[period](fromDayNumber(day)));
}
