import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { daysToPick } from '../../../core/domain/day-pick.js';
import { type DayWindow, periodsOf } from '../../../core/domain/periods.js';
import { type DateSelection, pickedBy } from '../snapshot/rows.js';

/**
 * The days whose rates the rows of some days are made of: those that rows are picked or filled from, the 14 days before them
 * that the rate of either currency may be carried from, and the 14 days after them, on which it may be followed. `newest` is
 * the newest day that has rates; undefined where there are none.
 */
export function daysNeeded(when: DateSelection, newest: number | undefined): DayWindow | undefined {
  if (when.form === 'range') {
    const { from, to, period, fillDays = 0 } = when;
    const { firstDayOf, lastDayOf } = periodsOf(period, when);
    return withCarried({ from: firstDayOf(from) - fillDays, to: lastDayOf(to) });
  }
  const picked = pickedBy(when, newest);
  return picked && withCarried(daysToPick(picked));
}

/** Some days, with those that the rows of pairs on them also depend on: see `snapshot/pair.ts`. */
export function withCarried({ from, to }: DayWindow): DayWindow {
  return { from: from - WINDOW_DAYS, to: to + WINDOW_DAYS };
}

/** The days whose raw rows blends of some days are made of: the rates of providers are carried for 14 days. */
export function rawDaysNeeded({ from, to }: DayWindow): DayWindow {
  return { from: from - WINDOW_DAYS, to };
}
