import { type Columns, carriedAt, firstFrom, lastUpTo, rateAt } from '../../../core/columns/columns.js';

/**
 * The first and the last day, of those from one to another, on which a quote, other than the base, has a rate and the base a
 * carried one. Days are day numbers.
 */
export function pairSpan(
  columns: Columns,
  { base, quotes = columns.quotes }: { base: string; quotes?: readonly string[] | undefined },
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: { from?: number; to?: number } = {},
): [first: number | undefined, last: number | undefined] {
  const baseColumn = columns.byQuote.get(base);
  const wanted = quotes
    .filter((quote) => quote !== base || quotes.length === 1)
    .flatMap((quote) => columns.byQuote.get(quote) ?? []);
  const start = firstFrom(columns.days, from);
  const hasRow = (_day: number, index: number): boolean =>
    baseColumn !== undefined &&
    wanted.some((column) => !Number.isNaN(rateAt(column, start + index))) &&
    !Number.isNaN(carriedAt(columns, baseColumn, start + index));
  const days = columns.days.subarray(start, Math.max(start, lastUpTo(columns.days, to) + 1));
  return [days[days.findIndex(hasRow)], days[days.findLastIndex(hasRow)]];
}
