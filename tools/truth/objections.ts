import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../core/domain/dates.js';
import { type Judged, judge } from './judge.js';
import { findSuspects } from './suspects.js';

/** Why a row must not ship. */
export type Objection = 'unexplained deviation' | 'wrong figure' | 'suspect';

/**
 * The rows that must not ship: those that deviate without an explanation, or because the source printed them wrong; and what is suspect among the rest.
 */
export function objectionsTo(rows: readonly RawRow[]): ReadonlyMap<RawRow, Objection> {
  const objectionTo = deviationsOf(judge(rows).deviations);
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

function deviationsOf(deviations: readonly Judged[]): (row: RawRow) => Objection | undefined {
  const objections = new Map<string, Objection>();
  for (const { provider, quote, date, explanation } of deviations) {
    const key = `${provider} ${quote} ${date}`;
    if (!explanation) objections.set(key, 'unexplained deviation');
    else if (explanation.kind === 'slip') objections.set(key, 'wrong figure');
  }
  return ({ provider, date, base, quote }) =>
    objections.get(`${provider} ${base} ${date}`) ?? objections.get(`${provider} ${quote} ${date}`);
}

function keyOf({ provider, date, base, quote }: Omit<RawRow, 'rate'>): string {
  return `${provider} ${date} ${base} ${quote}`;
}
