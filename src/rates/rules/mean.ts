import { periodsOf } from '../../../core/domain/periods.js';
import type { KnownRates, RateSource } from '../engine/rate-source.js';
import { columnsOf } from '../snapshot/columns.js';
import { meanRows } from '../snapshot/means.js';
import { byDate } from '../snapshot/row.js';
import { plainRows, rowsBetween } from '../snapshot/rows.js';

/** The means that are wanted. */
interface MeanOptions {
  /** The currency that the source quotes all others in. */
  pivot: string;
  /** Day numbers, both included. */
  range: { from: number; to: number };
  currencies: readonly string[];
}

/**
 * The means of a source's daily rates in its own direction, as rates of the first day of the range, among which pairs are
 * looked up, inverted and crossed as among others.
 */
export function meanRates(rates: KnownRates, { pivot, range, currencies }: MeanOptions): KnownRates {
  const selection = { base: pivot, quotes: [...new Set(currencies)].sort(), exact: rates.exactFor(pivot) };
  const daily = rowsBetween(rates.columnsFor(pivot), selection, range);
  const means = [...byDate(meanRows(daily, periodsOf('range', range)))].flatMap(({ rows }) => rows);
  const columns = columnsOf(
    means.map(({ quote, rate }) => [
      quote,
      { days: Int32Array.of(range.from), rates: Float64Array.of(rate) },
    ]),
    pivot,
  );
  return { ...rates, days: columns.days, columnsFor: () => columns, exactFor: () => undefined };
}

/** A source that has these means alone. */
export function meanSource(means: KnownRates): RateSource {
  return {
    rowsInMemory: () => undefined,
    rows: async (request) =>
      plainRows({ days: means.columnsFor(request.base) }, request, Number.POSITIVE_INFINITY),
    ratesOn: async () => means,
  };
}
