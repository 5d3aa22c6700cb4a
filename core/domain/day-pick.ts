import { WINDOW_DAYS } from './blend/carry-forward.js';
import { FIRST_DAY, LAST_DAY } from './dates.js';

/** Which row a day selects: the newest up to and including it, the newest before it, or the first on or after it. */
export type DayPick = 'on-or-before' | 'before' | 'next';

export interface PickedDay {
  readonly day: number;
  readonly pick: DayPick;
}

export function onOrBefore(day: number): PickedDay {
  return { day, pick: 'on-or-before' };
}

/** Day numbers, both included. The last candidate is selected, or the first with `next`. */
export function daysToPick({ day, pick }: PickedDay): { from: number; to: number } {
  if (pick === 'next') return { from: day, to: Math.min(LAST_DAY, day + WINDOW_DAYS) };
  const to = pick === 'before' ? Math.max(FIRST_DAY, day - 1) : day;
  return { from: to - WINDOW_DAYS, to };
}

/** The last day that a request covers, given the day of the selected row. With `next`, that is the day of the row. */
export function lastAskedDay(picked: PickedDay, found: number): number {
  return picked.pick === 'next' ? found : daysToPick(picked).to;
}
