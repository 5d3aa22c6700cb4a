import { WINDOW_DAYS } from './blend/carry-forward.js';
import { LAST_DAY } from './periods.js';

/** Which row is meant by a day: the newest up to it, the newest before it, or the first from it on. */
export type DayPick = 'on-or-before' | 'before' | 'next';

/** A day (day number), and which row is meant by it. */
export interface PickedDay {
  readonly day: number;
  readonly pick: DayPick;
}

/** The newest row up to a day is meant. */
export function onOrBefore(day: number): PickedDay {
  return { day, pick: 'on-or-before' };
}

/** The days (day numbers, both included) whose rows are picked from: the last of these counts, with `next` the first. */
export function daysToPick({ day, pick }: PickedDay): { from: number; to: number } {
  if (pick === 'next') return { from: day, to: Math.min(LAST_DAY, day + WINDOW_DAYS) };
  const to = pick === 'before' ? day - 1 : day;
  return { from: to - WINDOW_DAYS, to };
}

/**
 * The last day that was asked for, where a row was found on a day. Of what becomes valid after the day that is named, it is
 * the day of the row.
 */
export function lastAskedDay(picked: PickedDay, found: number): number {
  return picked.pick === 'next' ? found : daysToPick(picked).to;
}
