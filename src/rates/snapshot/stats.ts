import type { Periods } from '../../../core/domain/periods.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { DatedRows, PlainRows, Row } from './rows.js';

/** A pair's daily rows in one period, as they are shown without `group`. Without any, `days` is 0 and the rest null. */
export interface Stats {
  readonly first: number | null;
  readonly last: number | null;
  /** Day number of the last daily row. */
  readonly lastDay: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Arithmetic mean of the daily rates as shown, rounded as these are. */
  readonly average: number | null;
  readonly days: number;
}

const NO_DAYS: Stats = {
  first: null,
  last: null,
  lastDay: null,
  low: null,
  high: null,
  average: null,
  days: 0,
};

interface Sums {
  first: number;
  last: number;
  lastDay: number;
  low: number;
  high: number;
  sum: number;
  days: number;
}

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
  const days = statsByPeriod(daily, periods, shown);
  let next = days.next();
  for (const { day, rows } of grouped) {
    while (!next.done && next.value.first < day) next = days.next();
    const byQuote = !next.done && next.value.first === day ? next.value.byQuote : undefined;
    yield {
      day,
      rows: rows.map((row): Row => ({ ...row, stats: finished(byQuote?.get(row.quote), shown) })),
    };
  }
}

function* statsByPeriod(
  { quotes, draw }: PlainRows,
  periods: Periods,
  shown: (rate: number) => number,
): Generator<{ first: number; byQuote: Map<string, Sums> }> {
  let current: { first: number; last: number; sums: (Sums | undefined)[] } | undefined;
  let complete: typeof current;
  const take: Parameters<PlainRows['draw']>[0] = (day, rates, marks) => {
    if (!current || day > current.last) {
      complete = current;
      current = { first: periods.firstDayOf(day), last: periods.lastDayOf(day), sums: [] };
    }
    for (let index = 0; index < rates.length; index++) {
      const rate = rates[index] ?? Number.NaN;
      if (Number.isNaN(rate)) continue;
      const value = marks?.exact?.[index] === 1 ? rate : shown(rate);
      const sums = current.sums[index];
      if (sums) addDay(sums, day, value);
      else {
        current.sums[index] = {
          first: value,
          last: value,
          lastDay: day,
          low: value,
          high: value,
          sum: value,
          days: 1,
        };
      }
    }
  };
  const result = ({ first, sums }: NonNullable<typeof current>) => {
    const byQuote = new Map<string, Sums>();
    sums.forEach((each, index) => {
      if (each) byQuote.set(quotes[index] ?? '', each);
    });
    return { first, byQuote };
  };
  for (let hasMore = true; hasMore; ) {
    hasMore = draw(take, 1);
    if (complete) yield result(complete);
    complete = undefined;
  }
  if (current) yield result(current);
}

function addDay(sums: Sums, day: number, value: number): void {
  sums.last = value;
  sums.lastDay = day;
  if (value < sums.low) sums.low = value;
  if (value > sums.high) sums.high = value;
  sums.sum += value;
  sums.days++;
}

function finished(sums: Sums | undefined, shown: (rate: number) => number): Stats {
  if (!sums) return NO_DAYS;
  const { sum, ...rest } = sums;
  return { ...rest, average: shown(sum / sums.days) };
}
