import {
  addDays,
  type CalendarDate,
  eachDay,
  eachPeriod,
  earlier,
  isoWeekday,
  later,
} from '../../../core/domain/dates.js';
import type { AskedDays, Window } from '../feed.js';

export { stepsOf } from '../../../core/domain/dates.js';

/** The days of the window, oldest first, without the given weekdays (ISO: 6 is Saturday, 7 is Sunday). */
export function* daysOf(
  window: Window,
  { without = [] }: { without?: readonly number[] } = {},
): Generator<CalendarDate> {
  for (const day of eachDay(window.from, window.to)) {
    if (!without.includes(isoWeekday(day))) yield day;
  }
}

/** Monday to Friday of the window, oldest first. */
export function weekdaysOf(window: Window): Generator<CalendarDate> {
  return daysOf(window, { without: [6, 7] });
}

/** The calendar months that overlap the window, oldest first, each with its part of the window. */
export function* monthsOf(
  window: Window,
): Generator<Window & { year: number; month: number; first: CalendarDate; last: CalendarDate }> {
  for (const { from: first, to: last } of eachPeriod('month', window)) {
    const [year = 0, month = 0] = first.split('-').map(Number);
    yield { year, month, first, last, from: later(first, window.from), to: earlier(last, window.to) };
  }
}

/** The calendar years that overlap the window, oldest first, each with its part of the window. */
export function* yearsOf(window: Window): Generator<Window & { year: number }> {
  for (const { from, to } of eachPeriod('year', window))
    yield { year: Number(from.slice(0, 4)), from: later(from, window.from), to: earlier(to, window.to) };
}

/** The days that the response to a requested day may be of, if the source returns the last table before it. */
export function recentDays(day: CalendarDate): AskedDays {
  return { from: addDays(day, -LONGEST_CLOSURE), to: day, exact: true };
}

/** The longest closure of a bank, in days: the spring festival and two weekends. */
export const LONGEST_CLOSURE = 15;
