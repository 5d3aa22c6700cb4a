import { createCarriedRows, type RawRow, seriesOf } from '../../core/domain/blend/carry-forward.js';
import { Judge } from '../../core/domain/blend/judge.js';
import { isHeld } from '../../core/domain/blend/suspect.js';
import { dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { deviationsIn } from './deviations.js';
import { explanationOf, isTrusted } from './explanations.js';

/** Why a row must not ship. */
export type Objection = 'unexplained deviation' | 'wrong figure' | 'suspect';

/**
 * The rows that must not ship: those that deviate without an explanation, or because the source printed them wrong; and what
 * is suspect among the rest.
 */
export function objectionsTo(rows: readonly RawRow[]): ReadonlyMap<RawRow, Objection> {
  const deviating = deviationObjections(rows);
  const objectionTo = ({ provider, date, base, quote }: RawRow) =>
    deviating.get(`${provider} ${base} ${date}`) ?? deviating.get(`${provider} ${quote} ${date}`);
  const suspects = suspectsAmong(rows.filter((row) => !objectionTo(row)));
  return new Map(
    rows.flatMap((row) => {
      const objection = objectionTo(row) ?? (suspects.has(keyOf(row)) ? 'suspect' : undefined);
      return objection ? [[row, objection]] : [];
    }),
  );
}

function deviationObjections(rows: readonly RawRow[]): ReadonlyMap<string, Objection> {
  const objections = new Map<string, Objection>();
  for (const deviation of deviationsIn(rows, isTrusted)) {
    const explanation = explanationOf(deviation);
    if (explanation && explanation.kind !== 'slip') continue;
    const { provider, quote, date } = deviation;
    objections.set(`${provider} ${quote} ${date}`, explanation ? 'wrong figure' : 'unexplained deviation');
  }
  return objections;
}

function suspectsAmong(rows: readonly RawRow[]): ReadonlySet<string> {
  const carried = createCarriedRows();
  const judge = new Judge(carried);
  const days = [...groupBy(rows, ({ date }) => date)].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [date, published] of days) {
    judge.observeDay(
      dayNumber(date),
      published.map(({ provider, base, quote, rate }) => ({
        series: seriesOf(carried, provider, base, quote),
        rate,
      })),
    );
  }
  const held = judge.suspects.filter((suspect) => isHeld(suspect));
  return new Set(held.map(({ series, day }) => keyOf({ ...series, date: fromDayNumber(day) })));
}

function keyOf({ provider, date, base, quote }: Omit<RawRow, 'rate'>): string {
  return `${provider} ${date} ${base} ${quote}`;
}
