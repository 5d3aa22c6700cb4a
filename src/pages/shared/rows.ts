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

const FIVE = 5;

/** Returns the rows of a span to show: all rows, or for five days the last five. */
export function shownOf<T extends { date: string }>(rows: readonly T[], span: Span): readonly T[] {
  return span === '5d' ? rows.slice(-FIVE) : rows;
}
