import type { CalendarDate } from '../../core/domain/dates.js';

interface MadeUp {
  why: string;
  /** The last day of the rows that are made up; all of them where absent. */
  to?: CalendarDate;
}

/**
 * Recordings in `recorded/` that were written by hand, or stand in for what was not recorded. They show the form that a
 * source had, and prove no figure: their rows are neither compared with others nor shipped.
 */
export const madeUpRecordings: ReadonlyMap<string, MadeUp> = new Map([
  ['BCEAO', { why: 'the dollar is 6 % off the fixed rate of the euro, and 80 of 90 crosses by over 1.5 %' }],
  ['BCN', { why: 'answered on a Monday that was a Tuesday, and cut to five days' }],
  ['BOI', { why: 'answered on a Thursday that was a Friday, with the rand 3 to 4 % off' }],
  ['BOTA', { why: 'another table than the real page has, and crosses up to 13 % off' }],
  ['CBSSC', { why: 'a small workbook stands for the one that was not recorded', to: '2026-09-08' }],
]);

/** Feeds without a recording, written from descriptions of responses that prove neither the format nor a rate. */
export const unrecorded: ReadonlySet<string> = new Set(['BAZGMONTH']);

/** Whether the row of a provider's recording in `recorded/` was made up. */
export function isMadeUp(provider: string, date: CalendarDate): boolean {
  const madeUp = madeUpRecordings.get(provider);
  return madeUp !== undefined && date <= (madeUp.to ?? date);
}
