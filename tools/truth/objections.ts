import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../core/domain/dates.js';
import { areOfOtherDays } from './explanations.js';
import { type Judged, judge } from './judge.js';
import { findSuspects } from './suspects.js';

/** Why a row must not ship. */
export type Objection = 'figures of another day' | 'unexplained deviation' | 'wrong figure' | 'suspect';

/**
 * The rows that must not ship: all of a recording whose figures are of other days; those that deviate without an
 * explanation, or because the source printed them wrong; and what is suspect among the rest.
 */
export function objectionsTo(rows: readonly RawRow[]): ReadonlyMap<RawRow, Objection> {
  const objectionTo = deviationsAndOtherDays(judge(rows).deviations);
  const suspects = new Set(
    findSuspects(rows.filter((row) => !objectionTo(row))).map(({ series, day }) =>
      keyOf({ ...series, date: fromDayNumber(day) }),
    ),
  );
  return new Map(
    rows.flatMap((row) => {
      const objection = objectionTo(row) ?? (suspects.has(keyOf(row)) ? 'suspect' : undefined);
      return objection ? [[row, objection]] : [];
    }),
  );
}

function deviationsAndOtherDays(deviations: readonly Judged[]): (row: RawRow) => Objection | undefined {
  const objections = new Map<string, Objection>();
  for (const { provider, quote, date, explanation } of deviations) {
    const key = `${provider} ${quote} ${date}`;
    if (!explanation) objections.set(key, 'unexplained deviation');
    else if (explanation.kind === 'slip') objections.set(key, 'wrong figure');
  }
  return ({ provider, date, base, quote }) =>
    areOfOtherDays(provider, date)
      ? 'figures of another day'
      : (objections.get(`${provider} ${base} ${date}`) ?? objections.get(`${provider} ${quote} ${date}`));
}

function keyOf({ provider, date, base, quote }: Omit<RawRow, 'rate'>): string {
  return `${provider} ${date} ${base} ${quote}`;
}
