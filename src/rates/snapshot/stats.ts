import type { Periods } from '../../../core/domain/periods.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { type PeriodSums, sumsByPeriod } from './period-sums.js';
import type { DatedRows, PlainRows, Row, Stats } from './row.js';

const NO_DAYS: Stats = {
  first: null,
  last: null,
  lastDay: null,
  low: null,
  high: null,
  average: null,
  days: 0,
};

interface StatsOptions {
  /** The daily rows of the same pairs, by date. */
  daily: PlainRows;
  periods: Periods;
  /** How daily rates and their mean are shown. */
  precision: 'display' | 'full';
}

/** Adds to each row of a period the statistics of its pair over the daily rows of that period. */
export function* withStats(
  grouped: Iterable<DatedRows>,
  { daily, periods, precision }: StatsOptions,
): Generator<DatedRows> {
  const shown = precision === 'full' ? roundForStorage : roundForDisplay;
  const indices = new Map(daily.quotes.map((quote, index) => [quote, index]));
  const summed = sumsByPeriod(daily, periods, shown);
  let next = summed.next();
  for (const { day, rows } of grouped) {
    while (!next.done && next.value.firstDay < day) next = summed.next();
    const sums = !next.done && next.value.firstDay === day ? next.value.sums : [];
    const withOwn = (row: Row): Row => ({
      ...row,
      stats: statsOf(sums[indices.get(row.quote) ?? -1], shown),
    });
    yield { day, rows: rows.map(withOwn) };
  }
}

function statsOf(sums: PeriodSums | undefined, shown: (rate: number) => number): Stats {
  if (!sums) return NO_DAYS;
  const { first, last, lastDay, low, high, sum, days } = sums;
  return { first, last, lastDay, low, high, average: shown(sum / days), days };
}
