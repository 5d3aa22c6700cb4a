import { type Columns, firstFrom, type NamedSeries, rateAt } from '../columns/columns.js';
import { PIVOT } from '../domain/blend/carry-forward.js';
import type { TableRows } from './tables.js';

type DatedRates = Pick<TableRows<'blended'>, 'date' | 'quote' | 'rate'>;

/** The rows must be grouped by quote. Series are views of typed arrays. */
export function* seriesIn({ date, quote, rate }: DatedRates): Generator<NamedSeries> {
  const days = date instanceof Int32Array ? date : new Int32Array(date);
  for (let start = 0, end = 0; start < quote.length; start = end) {
    const code = quote[start];
    do end++;
    while (end < quote.length && quote[end] === code);
    yield [code ?? '', { days: days.subarray(start, end), rates: rate.subarray(start, end) }];
  }
}

/** Day numbers, both included. Sorted by quote and date. */
export function blendedRows(columns: Columns, from: number, to: number): TableRows<'blended'> {
  const start = firstFrom(columns.days, from);
  const end = firstFrom(columns.days, to + 1);
  const date: number[] = [];
  const quote: string[] = [];
  const rate: number[] = [];
  for (const code of columns.quotes) {
    const column = columns.byQuote.get(code);
    for (let index = start; column && index < end; index++) {
      const value = rateAt(column, index);
      if (Number.isNaN(value)) continue;
      date.push(columns.days[index] ?? 0);
      quote.push(code);
      rate.push(value);
    }
  }
  return {
    date: Int32Array.from(date),
    base: new Array<string>(date.length).fill(PIVOT),
    quote,
    rate: Float64Array.from(rate),
  };
}
