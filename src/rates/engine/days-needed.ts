import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { daysToPick } from '../../../core/domain/day-pick.js';
import { type DayWindow, periodsOf } from '../../../core/domain/periods.js';
import { type DateSelection, pickedBy } from '../snapshot/rows.js';

/** The days of the rows, 14 days before, which are carried, and 14 after, which decide where a pair has a row. */
export function daysNeeded(when: DateSelection, newest: number | undefined): DayWindow | undefined {
  if (when.form === 'range') {
    const { from, to, period, fillDays = 0 } = when;
    const { firstDayOf, lastDayOf } = periodsOf(period, when);
    return withCarried({ from: firstDayOf(from) - fillDays, to: lastDayOf(to) });
  }
  const picked = pickedBy(when, newest);
  return picked && withCarried(daysToPick(picked));
}

/** Extends a window by the other days on which its rows of pairs depend: see `snapshot/pair.ts`. */
export function withCarried({ from, to }: DayWindow): DayWindow {
  return { from: from - WINDOW_DAYS, to: to + WINDOW_DAYS };
}

/** The days whose raw rows contribute to the blends of a window: the rates of providers are carried for 14 days. */
export function rawDaysNeeded({ from, to }: DayWindow): DayWindow {
  return { from: from - WINDOW_DAYS, to };
}
