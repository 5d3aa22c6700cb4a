import { type Column, type Columns, carriedAt, firstFrom, rateAt } from '../../../core/columns/columns.js';
import type { Periods } from '../../../core/domain/periods.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { ExactPairs, PlainRows, Stats } from './row.js';

const NO_DAYS: Stats = { days: 0 };

/** The daily rates that statistics are made from: the rows of the same request without its grouping. */
export interface DailyRates {
  columns: Columns;
  base: string;
  exact: ExactPairs | undefined;
  /** Day numbers, both included. */
  from: number;
  to: number;
}

/** How daily rates are grouped, and how these and their mean are shown. */
export interface StatsOptions {
  periods: Periods;
  precision: 'display' | 'full';
}

/** Adds to the rows of each period the statistics of their pairs over its daily rates. */
export function withStats(grouped: PlainRows, daily: DailyRates, options: StatsOptions): PlainRows {
  const { columns, base, exact, from, to } = daily;
  const { periods, precision } = options;
  const baseColumn = columns.byQuote.get(base);
  const shown = precision === 'full' ? roundForStorage : roundForDisplay;
  const pairs = grouped.quotes.map((quote) => ({
    column: columns.byQuote.get(quote),
    isBase: quote === base,
    digitsOf: exact?.(quote),
  }));
  const statsFrom = (firstDay: number): Stats[] => {
    const { days } = columns;
    const start = firstFrom(days, Math.max(from, firstDay));
    const end = firstFrom(days, Math.min(to, periods.lastDayOf(firstDay)) + 1);
    const divisors = new Float64Array(Math.max(0, end - start));
    for (let index = 0; baseColumn && index < divisors.length; index++) {
      divisors[index] = carriedAt(columns, baseColumn, start + index);
    }
    return pairs.map((pair) => statsOver({ days, start, divisors }, pair, shown));
  };
  return {
    ...grouped,
    draw: (take, count) =>
      grouped.draw((day, rates, marks) => take(day, rates, { ...marks, stats: statsFrom(day) }), count),
  };
}

/** The days of a period, and the rate of the base that is carried to each of them; NaN where there is none. */
interface DaysOfPeriod {
  days: Int32Array;
  /** Index of the first one. */
  start: number;
  divisors: Float64Array;
}

interface Pair {
  column: Column | undefined;
  /** Whether it is the base itself, which has a rate of 1. */
  isBase: boolean;
  /** See `ExactPairs`. */
  digitsOf: ReturnType<ExactPairs>;
}

function statsOver(
  { days, start, divisors }: DaysOfPeriod,
  { column, isBase, digitsOf }: Pair,
  shown: (rate: number) => number,
): Stats {
  let first = Number.NaN;
  let last = Number.NaN;
  let lastIndex = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let count = 0;
  for (let index = 0; column && index < divisors.length; index++) {
    const divisor = divisors[index] ?? Number.NaN;
    if (Number.isNaN(divisor)) continue;
    const rate = isBase ? 1 : rateAt(column, start + index) / divisor;
    const digits = digitsOf?.(rate, start + index);
    if (digits === undefined && Number.isNaN(rate)) continue;
    const value = digits ?? shown(rate);
    if (count === 0) first = value;
    last = value;
    lastIndex = start + index;
    if (value < low) low = value;
    if (value > high) high = value;
    sum += value;
    count++;
  }
  if (count === 0) return NO_DAYS;
  // The sum of equal rates, divided by their number, may differ from them, and a peg has more digits than are shown of others.
  const average = low === high ? low : shown(sum / count);
  return { first, last, lastDay: days[lastIndex] ?? 0, low, high, average, days: count };
}
