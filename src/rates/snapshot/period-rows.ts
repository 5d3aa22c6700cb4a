import { type Columns, firstFrom } from '../../../core/columns/columns.js';
import { type DayWindow, type Grouping, type Periods, periodsOf } from '../../../core/domain/periods.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { type Pair, pairOf, pairRateAt } from './pair.js';
import type { PlainRows, RatesOfDate, Selection, Stats } from './row.js';

const NO_DAYS: Stats = { days: 0 };

/** Adds to the rows of each period of a range the statistics of their pairs over the daily rates within the range. */
export function withStats(
  { quotes, nextDate }: PlainRows,
  daily: Columns,
  { base, own }: Pick<Selection, 'base' | 'own'>,
  range: DayWindow & { period: Grouping; stats?: 'display' | 'full' },
): PlainRows {
  const { days } = daily;
  const { lastDayOf } = periodsOf(range.period, range);
  const shown = range.stats === 'full' ? roundForStorage : roundForDisplay;
  const pairs = quotes.map((quote) => pairOf(daily, { base, quote, own }));
  const statsFrom = (firstDay: number): Stats[] => {
    const start = firstFrom(days, Math.max(range.from, firstDay));
    const end = firstFrom(days, Math.min(range.to, lastDayOf(firstDay)) + 1);
    return pairs.map((pair) => (pair ? statsOver(pair, start, end, shown) : NO_DAYS));
  };
  return {
    quotes,
    nextDate() {
      const date = nextDate();
      return date && { ...date, marks: { ...date.marks, stats: statsFrom(date.day) } };
    },
  };
}

function statsOver(pair: Pair, start: number, end: number, shown: (rate: number) => number): Stats {
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
  return { first, last, lastDay: pair.days[lastIndex] ?? 0, low, high, average, days: count };
}

/** Computes the arithmetic means of daily rows over periods, for rows that are grouped in their own base. */
export function meanRows({ quotes, nextDate }: PlainRows, periods: Periods): PlainRows {
  const counts = new Int32Array(quotes.length);
  const mean: RatesOfDate = { day: 0, rates: new Float64Array(quotes.length) };
  const { rates: sums } = mean;
  let next = nextDate();
  return {
    quotes,
    nextDate() {
      if (!next) return undefined;
      mean.day = periods.firstDayOf(next.day);
      const last = periods.lastDayOf(next.day);
      sums.fill(0);
      counts.fill(0);
      for (; next && next.day <= last; next = nextDate()) addRates(next.rates, sums, counts);
      // Without any rate this is 0 / 0, which is NaN.
      for (let index = 0; index < sums.length; index++)
        sums[index] = (sums[index] ?? 0) / (counts[index] ?? 0);
      return mean;
    },
  };
}

function addRates(rates: Float64Array, sums: Float64Array, counts: Int32Array): void {
  for (let index = 0; index < rates.length; index++) {
    const rate = rates[index] ?? Number.NaN;
    if (Number.isNaN(rate)) continue;
    sums[index] = (sums[index] ?? 0) + rate;
    counts[index] = (counts[index] ?? 0) + 1;
  }
}
