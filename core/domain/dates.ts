/** `YYYY-MM-DD`, proleptic Gregorian (ISO 8601): days without a time zone. Arithmetic is on whole UTC days. */
export type CalendarDate = string;

export const MILLISECONDS_PER_DAY = 86_400_000;
/** Years from 100 on. Earlier years are assumed to have lost their century. */
const PATTERN = /^(?!00)\d{4}-\d{2}-\d{2}$/;
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** Days since 1970-01-01. Throws a RangeError if the text is not a calendar date. */
export function dayNumber(date: CalendarDate): number {
  const day = parseDayNumber(date);
  if (day === undefined) throw new RangeError(`not a calendar date: ${JSON.stringify(date)}`);
  return day;
}

export function fromDayNumber(day: number): CalendarDate {
  return toCalendarDate(new Date(day * MILLISECONDS_PER_DAY));
}

export function isCalendarDate(text: string): boolean {
  return parseDayNumber(text) !== undefined;
}

/** In UTC. */
export function toCalendarDate(instant: Date): CalendarDate {
  // Five times as fast as toISOString, which matters for bodies with thousands of rows.
  const year = instant.getUTCFullYear();
  const century = TWO_DIGITS[Math.floor(year / 100)];
  if (century === undefined) throw new RangeError(`no date with a year of four digits: ${year}`);
  return `${century}${TWO_DIGITS[year % 100]}-${TWO_DIGITS[instant.getUTCMonth() + 1]}-${TWO_DIGITS[instant.getUTCDate()]}`;
}

/** Months are 1 to 12. Throws a RangeError if there is no such day. */
export function calendarDate(year: number, month: number, day: number): CalendarDate {
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  dayNumber(date);
  return date;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** Negative if the second date is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** 1 is Monday, 7 is Sunday. */
export function isoWeekday(date: CalendarDate): number {
  return isoWeekdayOf(dayNumber(date));
}

export function isWeekend(date: CalendarDate): boolean {
  return isoWeekday(date) >= 6;
}

export function firstOfWeek(date: CalendarDate): CalendarDate {
  const day = dayNumber(date);
  return fromDayNumber(day - (isoWeekdayOf(day) - 1));
}

/** Monday of an ISO 8601 week. A week belongs to the year of its Thursday. Undefined if the year has no such week. */
export function mondayOf(year: number, week: number): CalendarDate | undefined {
  const monday = dayNumber(firstOfWeek(calendarDate(year, 1, 4))) + 7 * (week - 1);
  const thursday = monday + 3;
  const isOfYear =
    thursday >= dayNumber(calendarDate(year, 1, 1)) && thursday <= dayNumber(calendarDate(year, 12, 31));
  return isOfYear ? fromDayNumber(monday) : undefined;
}

export function firstOfMonth(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 8)}01`;
}

export function lastOfMonth(date: CalendarDate): CalendarDate {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  return toCalendarDate(new Date(Date.UTC(year, month, 0)));
}

export function firstOfQuarter(date: CalendarDate): CalendarDate {
  const month = Number(date.slice(5, 7));
  return calendarDate(Number(date.slice(0, 4)), month - ((month - 1) % 3), 1);
}

export function lastOfQuarter(date: CalendarDate): CalendarDate {
  const first = firstOfQuarter(date);
  return lastOfMonth(calendarDate(Number(first.slice(0, 4)), Number(first.slice(5, 7)) + 2, 1));
}

/** Both ends included. Empty if the last is earlier. */
export function* eachDay(from: CalendarDate, to: CalendarDate): Generator<CalendarDate> {
  const last = dayNumber(to);
  for (let day = dayNumber(from); day <= last; day++) yield fromDayNumber(day);
}

/** The first day of every month that overlaps the window. */
export function* eachMonth(from: CalendarDate, to: CalendarDate): Generator<CalendarDate> {
  for (let month = firstOfMonth(from); month <= to; month = addDays(lastOfMonth(month), 1)) yield month;
}

/** ISO dates order as text. */
export function earlier(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one < other ? one : other;
}

export function later(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one > other ? one : other;
}

/** 1 (Monday) to 7. */
export function isoWeekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Days since 1970-01-01; undefined if the text is not an existing date. */
export function parseDayNumber(text: string): number | undefined {
  if (!PATTERN.test(text)) return undefined;
  const instant = Date.parse(text);
  // Date.parse reads the 30th of February as a day in March.
  const exists = new Date(instant).getUTCDate() === Number(text.slice(8));
  return exists ? instant / MILLISECONDS_PER_DAY : undefined;
}
