import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { daysToPick, onOrBefore } from '../../../core/domain/day-pick.js';
import { periodsOf } from '../../../core/domain/periods.js';
import type { DateSelection } from '../snapshot/rows.js';

/** Day numbers, both included. */
export interface DayWindow {
  readonly from: number;
  readonly to: number;
}

/**
 * The days whose rates the rows of some days are made of: those that rows are picked or filled from, and the 14 days before
 * them that the rate of the base is carried from. `newest` is the newest day that has rates; undefined where there are none.
 */
export function daysNeeded(when: DateSelection, newest: number | undefined): DayWindow | undefined {
  if (when.form === 'range') return daysOfRange(when);
  const picked = when.form === 'date' ? when : newest === undefined ? undefined : onOrBefore(newest);
  if (!picked) return undefined;
  const { from, to } = daysToPick(picked);
  return { from: from - WINDOW_DAYS, to };
}

/** The same for the rows of a range. */
export function daysOfRange(range: Extract<DateSelection, { form: 'range' }>): DayWindow {
  const { period, fillDays = 0 } = range;
  const { firstDayOf, lastDayOf } = periodsOf(period, range);
  return { from: firstDayOf(range.from) - fillDays - WINDOW_DAYS, to: lastDayOf(range.to) };
}

/** The days whose raw rows blends of some days are made of: the rates of providers are carried for 14 days. */
export function rawDaysNeeded({ from, to }: DayWindow): DayWindow {
  return { from: from - WINDOW_DAYS, to };
}
