import { columnsOf } from '../../../core/columns/columns.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { periodsOf } from '../../../core/domain/periods.js';
import type { KnownRates, RateSource } from '../engine/rate-source.js';
import { meanRows } from '../snapshot/period-rows.js';
import { byDate } from '../snapshot/row.js';
import { plainRows, rowsBetween } from '../snapshot/rows.js';
import type { RuleSource } from './published.js';
import type { Ruling } from './resolve.js';

/** Computes means of rates as the source quotes them, dated the first day. Undefined if the rule requires none. */
export function meansFor(
  { from, picked: { day: to } }: Ruling,
  { base, quote }: { base: string; quote: string },
  { rates, pivot: ownPivot, newestOf }: RuleSource,
): KnownRates | undefined {
  if (from === undefined) return undefined;
  const [pivot, range] = [ownPivot ?? base, { from, to }];
  const selection = { base: pivot, quotes: [...new Set([base, quote])].sort(), own: rates.ownFor(pivot) };
  const daily = rowsBetween(rates.columnsFor(pivot), selection, range);
  const means = [...byDate(meanRows(daily, periodsOf('range', range)))].flatMap(({ rows }) => rows);
  const columns = columnsOf(
    means.map(({ quote, rate }) => [quote, { days: Int32Array.of(from), rates: Float64Array.of(rate) }]),
    pivot,
  );
  const isKnown = [base, quote].every((code) => code === pivot || newestOf(code) !== undefined);
  const none = isKnown ? `there are none from ${fromDayNumber(from)} to ${fromDayNumber(to)}` : undefined;
  return { ...rates, days: columns.days, columnsFor: () => columns, ownFor: () => undefined, none };
}

export function meanSource(means: KnownRates): RateSource {
  return {
    rows: async (request) =>
      plainRows({ days: means.columnsFor(request.base) }, request, Number.POSITIVE_INFINITY),
    ratesOn: async () => means,
  };
}
