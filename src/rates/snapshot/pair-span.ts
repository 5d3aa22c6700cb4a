import { type Columns, carriedAt, lastUpTo, rateAt } from './columns.js';

/**
 * The first and the last day, up to `upTo`, on which a quote, other than the base, has a rate and the base a carried one.
 * Days are day numbers.
 */
export function pairSpan(
  columns: Columns,
  { base, quotes = columns.quotes }: { base: string; quotes?: readonly string[] | undefined },
  upTo = Number.POSITIVE_INFINITY,
): [first: number | undefined, last: number | undefined] {
  const baseColumn = columns.byQuote.get(base);
  const wanted = quotes
    .filter((quote) => quote !== base || quotes.length === 1)
    .flatMap((quote) => columns.byQuote.get(quote) ?? []);
  const hasRow = (_day: number, dayIndex: number): boolean =>
    baseColumn !== undefined &&
    wanted.some((column) => !Number.isNaN(rateAt(column, dayIndex))) &&
    !Number.isNaN(carriedAt(columns, baseColumn, dayIndex));
  const days = columns.days.subarray(0, lastUpTo(columns.days, upTo) + 1);
  return [days[days.findIndex(hasRow)], days[days.findLastIndex(hasRow)]];
}
