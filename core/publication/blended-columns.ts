import { type Columns, firstFrom, type NamedSeries, rateAt } from '../columns/columns.js';
import { PIVOT } from '../domain/blend/carry-forward.js';
import { collectRows, type TableRows } from './tables.js';

type DatedRates = Pick<TableRows<'blended'>, 'date' | 'quote' | 'rate'>;

/** The rows must be grouped by quote. Series are views of typed arrays. */
export function* seriesIn({ date, quote, rate }: DatedRates): Generator<NamedSeries> {
  for (let start = 0, end = 0; start < quote.length; start = end) {
    const code = quote[start];
    do end++;
    while (end < quote.length && quote[end] === code);
    yield [code ?? '', { days: date.subarray(start, end), rates: rate.subarray(start, end) }];
  }
}

/** Day numbers, both included. Sorted by quote and date. */
export function blendedRows(columns: Columns, from: number, to: number): TableRows<'blended'> {
  const start = firstFrom(columns.days, from);
  const end = firstFrom(columns.days, to + 1);
  const table = collectRows('blended');
  for (const quote of columns.quotes) {
    const column = columns.byQuote.get(quote);
    for (let index = start; column && index < end; index++) {
      const rate = rateAt(column, index);
      if (!Number.isNaN(rate)) table.add({ date: columns.days[index] ?? 0, base: PIVOT, quote, rate });
    }
  }
  return table.rows();
}
