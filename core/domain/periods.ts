import {
  addDays,
  type CalendarDate,
  calendarDate,
  dayNumber,
  earlier,
  isoWeekdayOf,
  later,
  MILLISECONDS_PER_DAY,
} from './dates.js';

/** The period of one row in a range: a day, an ISO week (Monday to Sunday), or a calendar month, quarter or year. */
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** `range`: all days in one row. */
export type Grouping = Period | 'range';

/** Both ends included. */
export interface DateRange {
  from: CalendarDate;
  to: CalendarDate;
}

/** Day numbers, both ends included. */
export interface DayWindow {
  readonly from: number;
  readonly to: number;
}

export const EVER: DayWindow = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export function union<Other extends DateRange | undefined>(
  one: DateRange | undefined,
  other: Other,
): DateRange | Other {
  if (!one || !other) return one ?? other;
  return { from: earlier(one.from, other.from), to: later(one.to, other.to) };
}

export function unionOf(ranges: Iterable<DateRange>): DateRange | undefined {
  return [...ranges].reduce<DateRange | undefined>(union, undefined);
}

/** Splits a range into steps of at most this many days, oldest first, without gaps or overlaps. */
export function* stepsOf({ from, to }: DateRange, days: number): Generator<DateRange> {
  for (let first = from; first <= to; first = addDays(first, days))
    yield { from: first, to: earlier(addDays(first, days - 1), to) };
}

/** Day number. */
export function firstDayOf(period: Period, day: number): number {
  if (period === 'day') return day;
  return period === 'week' ? day - (isoWeekdayOf(day) - 1) : firstOfMonths(MONTHS[period], day, 0);
}

/** Day number. */
export function lastDayOf(period: Period, day: number): number {
  if (period === 'day') return day;
  return period === 'week' ? firstDayOf('week', day) + 6 : firstOfMonths(MONTHS[period], day, 1) - 1;
}

const MONTHS = { month: 1, quarter: 3, year: 12 };

/** First day of the period of `months` months that contains the day, or of the `next`-th after it. */
function firstOfMonths(months: number, day: number, next: number): number {
  const date = new Date(day * MILLISECONDS_PER_DAY);
  const month = (Math.floor(date.getUTCMonth() / months) + next) * months;
  // Unlike Date.UTC, setters accept years before 100.
  date.setUTCMonth(month, 1);
  return date.getTime() / MILLISECONDS_PER_DAY;
}

/** In day numbers. */
export interface Periods {
  /** First day of the period that contains the day. It is the date of the period's row. */
  firstDayOf(day: number): number;
  lastDayOf(day: number): number;
}

/** The periods that overlap a range, or the range itself as the only period. */
export function periodsOf(grouping: Grouping, range: { from: number; to: number }): Periods {
  if (grouping === 'range') return { firstDayOf: () => range.from, lastDayOf: () => range.to };
  return { firstDayOf: (day) => firstDayOf(grouping, day), lastDayOf: (day) => lastDayOf(grouping, day) };
}

export const EACH_DAY: Periods = periodsOf('day', { from: 0, to: 0 });

/** Day numbers, both included. */
export function daysOfYear(year: number): { from: number; to: number } {
  return { from: dayNumber(calendarDate(year, 1, 1)), to: dayNumber(calendarDate(year, 12, 31)) };
}

export const FIRST_DAY = dayNumber('0100-01-01');
export const LAST_DAY = dayNumber('9999-12-31');
