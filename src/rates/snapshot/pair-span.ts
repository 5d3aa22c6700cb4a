import type { Columns } from '../../../core/columns/columns.js';
import { firstRowIn, lastRowIn, pairOf } from './pair.js';
import type { Selection } from './row.js';

/** The first and the last day in a range on which any quote other than the base has a row. Days are day numbers. */
export function pairSpan(
  columns: Columns,
  { base, quotes = columns.quotes, own }: Selection,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: { from?: number; to?: number } = {},
): [first: number | undefined, last: number | undefined] {
  const { days } = columns;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const quote of quotes) {
    const pair = quote !== base || quotes.length === 1 ? pairOf(columns, { base, quote, own }) : undefined;
    if (!pair) continue;
    // Only days before the first day found so far, and after the last, can change these.
    const start = firstRowIn(pair, { from, to: Math.min(to, first - 1) });
    if (start) first = days[start.dayIndex] ?? first;
    const end = lastRowIn(pair, { from: Math.max(from, last + 1), to });
    if (end) last = days[end.dayIndex] ?? last;
  }
  return first > last ? [undefined, undefined] : [first, last];
}
