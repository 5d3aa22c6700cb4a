import { type DayWindow, type Grouping, type Periods, periodsOf } from '../../../core/domain/periods.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { PlainRows, RatesOfDate, Stats } from './row.js';

/** Adds to the rows of each period of a range the statistics of its daily rows, which are those within the range. */
export function withStats(
  { quotes, nextDate }: PlainRows,
  daily: PlainRows,
  range: DayWindow & { period: Grouping; stats?: 'display' | 'full' },
): PlainRows {
  const { lastDayOf } = periodsOf(range.period, range);
  const shown = range.stats === 'full' ? roundForStorage : roundForDisplay;
  const indices = quotes.map((quote) => daily.quotes.indexOf(quote));
  let next = daily.nextDate();
  const statsFrom = (firstDay: number): Stats[] => {
    const figures: Figures[] = [];
    for (const last = lastDayOf(firstDay); next && next.day <= last; next = daily.nextDate()) {
      // A period may have daily rows but no row of its own.
      if (next.day >= firstDay) addFigures(next, figures, shown);
    }
    return indices.map((index) => statsOf(figures[index], shown));
  };
  return {
    quotes,
    nextDate() {
      const date = nextDate();
      return date && { ...date, marks: { ...date.marks, stats: statsFrom(date.day) } };
    },
  };
}

type Rounding = (rate: number) => number;

/** The statistics of the daily rows of a pair so far. */
interface Figures {
  first: number;
  last: number;
  lastDay: number;
  low: number;
  high: number;
  sum: number;
  days: number;
}

function addFigures({ day, rates, marks }: RatesOfDate, figures: Figures[], shown: Rounding): void {
  for (let index = 0; index < rates.length; index++) {
    const rate = rates[index] ?? Number.NaN;
    if (Number.isNaN(rate)) continue;
    const value = marks?.exact?.[index] === 1 ? rate : shown(rate);
    const begun = { first: value, last: value, lastDay: day, low: value, high: value, sum: 0, days: 0 };
    const known = figures[index] ?? begun;
    figures[index] = known;
    known.last = value;
    known.lastDay = day;
    known.low = Math.min(known.low, value);
    known.high = Math.max(known.high, value);
    known.sum += value;
    known.days++;
  }
}

function statsOf(figures: Figures | undefined, shown: Rounding): Stats {
  if (!figures) return { days: 0 };
  const { sum, ...stats } = figures;
  const { low, high, days } = stats;
  // The mean of equal rates may differ from them in the last digit, and a peg has more digits than other rates show.
  return { ...stats, average: low === high ? low : shown(sum / days) };
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
