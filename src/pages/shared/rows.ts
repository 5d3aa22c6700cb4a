import type { Span } from './requests.js';

/** The members of a row of `/v2/rates` that pages use. */
export interface RateRow {
  date: string;
  base: string;
  quote: string;
  rate: number;
  providers?: readonly RowSource[];
  stats?: RowStats;
}

/** A source behind a rate. */
export interface RowSource {
  key: string;
  date: string;
  rate: number;
  excluded?: boolean;
  suspect?: boolean;
}

/** Statistics of the daily rates of a week or month; null if it has none within the range. */
interface RowStats {
  first: number | null;
  last: number | null;
  last_date: string | null;
  low: number | null;
  high: number | null;
}

/** A rate, with its day or the first day of its week or month. */
export interface DatedRate {
  date: string;
  rate: number;
}

/** The first, newest, lowest and highest daily rate of a range. */
export interface Summary {
  first: DatedRate;
  newest: DatedRate;
  low: DatedRate;
  high: DatedRate;
}

/** Summarises rows, oldest first; undefined without rows. Only the newest rate of weeks and months has its own day. */
export function summaryOf(rows: readonly RateRow[]): Summary | undefined {
  // The first and last week or month may have no rates within the range.
  const within = rows.filter(({ stats }) => stats?.first !== null);
  const [first] = within;
  const last = within.at(-1);
  if (!first || !last) return undefined;
  let low = { date: first.date, rate: Number.POSITIVE_INFINITY };
  let high = { date: first.date, rate: Number.NEGATIVE_INFINITY };
  for (const { date, rate, stats } of within) {
    const [lowest, highest] = [stats?.low ?? rate, stats?.high ?? rate];
    if (lowest < low.rate) low = { date, rate: lowest };
    if (highest > high.rate) high = { date, rate: highest };
  }
  return {
    first: { date: first.date, rate: first.stats?.first ?? first.rate },
    newest: { date: last.stats?.last_date ?? last.date, rate: last.stats?.last ?? last.rate },
    low,
    high,
  };
}

const FIVE = 5;

/** Returns the rows of a span to show: all rows, or for five days the last five. */
export function shownOf<T extends { date: string }>(rows: readonly T[], span: Span): readonly T[] {
  return span === '5d' ? rows.slice(-FIVE) : rows;
}
