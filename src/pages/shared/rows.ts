import type { Span } from './requests.js';

export interface RateRow {
  date: string;
  base: string;
  quote: string;
  rate: number;
  providers?: readonly RowSource[];
  stats?: RowStats;
}

export interface RowSource {
  key: string;
  date: string;
  rate: number;
  excluded?: boolean;
  suspect?: boolean;
}

/** Of the daily rates of a week or month; null if it has none within the range. */
interface RowStats {
  first: number | null;
  last: number | null;
  last_date: string | null;
  low: number | null;
  high: number | null;
}

/** The day, or the first day of a week or month. */
export interface DatedRate {
  date: string;
  rate: number;
}

const FIVE = 5;

/** All rows, or for five days the last five. */
export function shownOf<T extends { date: string }>(rows: readonly T[], span: Span): readonly T[] {
  return span === '5d' ? rows.slice(-FIVE) : rows;
}
