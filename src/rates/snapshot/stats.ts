import { type Columns, firstFrom } from '../../../core/columns/columns.js';
import type { Periods } from '../../../core/domain/periods.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { type Pair, pairOf, pairRateAt } from './pair.js';
import type { OwnPairs, PlainRows, Stats } from './row.js';

const NO_DAYS: Stats = { days: 0 };

/** The daily rates for the statistics: the rows of the same request without its grouping. */
export interface DailyRates {
  columns: Columns;
  base: string;
  own: OwnPairs | undefined;
  /** Day numbers, both included. */
  from: number;
  to: number;
}

/** The grouping of the daily rates, and how they and their mean are shown. */
export interface StatsOptions {
  periods: Periods;
  precision: 'display' | 'full';
}

/** Adds to the rows of each period the statistics of their pairs over its daily rates. */
export function withStats(grouped: PlainRows, daily: DailyRates, options: StatsOptions): PlainRows {
  const { columns, base, own, from, to } = daily;
  const { days } = columns;
  const { periods, precision } = options;
  const shown = precision === 'full' ? roundForStorage : roundForDisplay;
  const pairs = grouped.quotes.map((quote) => pairOf(columns, { base, quote, own }));
  const statsFrom = (firstDay: number): Stats[] => {
    const start = firstFrom(days, Math.max(from, firstDay));
    const end = firstFrom(days, Math.min(to, periods.lastDayOf(firstDay)) + 1);
    return pairs.map((pair) => (pair ? statsOver({ days, start, end }, pair, shown) : NO_DAYS));
  };
  return {
    ...grouped,
    draw: (take, count) =>
      grouped.draw((day, rates, marks) => take(day, rates, { ...marks, stats: statsFrom(day) }), count),
  };
}

/** The days of a period, by the index of the first one and that after the last one. */
interface DaysOfPeriod {
  days: Int32Array;
  start: number;
  end: number;
}

function statsOver({ days, start, end }: DaysOfPeriod, pair: Pair, shown: (rate: number) => number): Stats {
  let first = Number.NaN;
  let last = Number.NaN;
  let lastIndex = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let count = 0;
  for (let dayIndex = start; dayIndex < end; dayIndex++) {
    const rate = pairRateAt(pair, dayIndex);
    if (Number.isNaN(rate)) continue;
    const value = pair.own?.isExactOn(dayIndex) ? rate : shown(rate);
    if (count === 0) first = value;
    last = value;
    lastIndex = dayIndex;
    if (value < low) low = value;
    if (value > high) high = value;
    sum += value;
    count++;
  }
  if (count === 0) return NO_DAYS;
  // The mean of equal rates may differ from them in the last digit, and a peg has more digits than other rates show.
  const average = low === high ? low : shown(sum / count);
  return { first, last, lastDay: days[lastIndex] ?? 0, low, high, average, days: count };
}
