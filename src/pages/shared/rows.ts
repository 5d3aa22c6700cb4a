import type { Pair, Span } from './requests.js';

export interface RateRow extends Pair {
  date: string;
  rate: number;
  providers?: readonly RowSource[];
  /** Of the daily rates of a week or month; null if it has none within the range. */
  stats?: Record<'first' | 'last' | 'low' | 'high', number | null> & { last_date: string | null };
}

export interface RowSource {
  key: string;
  date: string;
  rate: number;
  excluded?: boolean;
  suspect?: boolean;
}

/** The day, or the first day of a week or month. */
export type DatedRate = Pick<RateRow, 'date' | 'rate'>;

/**
 * The rows as a chart draws them, the oldest first. A line of weeks or months begins and ends with the rates of its first and
 * last day, so that the change of the line is that between two days. Leaves out weeks and months without rates in the range.
 */
export function drawnOf(rows: readonly RateRow[]): RateRow[] {
  const drawn = rows.filter(({ stats }) => stats?.first !== null);
  const [first] = drawn;
  if (first?.stats) drawn[0] = { ...first, rate: first.stats.first ?? first.rate };
  const last = drawn.at(-1);
  if (last?.stats) {
    const { last: rate, last_date: date } = last.stats;
    const end = { ...last, rate: rate ?? last.rate, date: date ?? last.date };
    // A single week or month has a point for each of its ends.
    if (drawn.length > 1 || end.date <= last.date) drawn.pop();
    drawn.push(end);
  }
  return drawn;
}

/** All rows, or for five days the last five. */
export function shownOf<T extends { date: string }>(rows: readonly T[], span: Span): readonly T[] {
  return span === '5d' ? rows.slice(-5) : rows;
}
