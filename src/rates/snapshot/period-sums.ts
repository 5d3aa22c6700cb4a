import type { Periods } from '../../../core/domain/periods.js';
import type { PlainRows, TakeRates } from './row.js';

/** The rates of one quote in one period. */
export interface PeriodSums {
  first: number;
  last: number;
  /** Day number of the last rate. */
  lastDay: number;
  low: number;
  high: number;
  sum: number;
  days: number;
}

/** One period of daily rows. */
export interface SummedPeriod {
  /** Day number of the period's first day. */
  readonly firstDay: number;
  /** In the order of the quotes; undefined for a quote without a rate in the period. */
  readonly sums: readonly (PeriodSums | undefined)[];
}

const RATES_AT_ONCE = 256;

/** Sums up daily rows by period. `toValue` is applied to each rate that is not exact. */
export function* sumsByPeriod(
  { draw }: PlainRows,
  periods: Periods,
  toValue: (rate: number) => number = (rate) => rate,
): Generator<SummedPeriod> {
  let current: { firstDay: number; lastDay: number; sums: (PeriodSums | undefined)[] } | undefined;
  let complete: SummedPeriod[] = [];
  const take: TakeRates = (day, rates, marks) => {
    if (!current || day > current.lastDay) {
      if (current) complete.push(current);
      current = { firstDay: periods.firstDayOf(day), lastDay: periods.lastDayOf(day), sums: [] };
    }
    for (let index = 0; index < rates.length; index++) {
      const rate = rates[index] ?? Number.NaN;
      if (Number.isNaN(rate)) continue;
      const value = marks?.exact?.[index] === 1 ? rate : toValue(rate);
      const sums = current.sums[index];
      if (sums) addDay(sums, day, value);
      else
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
  };
  for (let hasMore = true; hasMore; ) {
    hasMore = draw(take, RATES_AT_ONCE);
    yield* complete;
    complete = [];
  }
  if (current) yield current;
}

function addDay(sums: PeriodSums, day: number, value: number): void {
  sums.last = value;
  sums.lastDay = day;
  if (value < sums.low) sums.low = value;
  if (value > sums.high) sums.high = value;
  sums.sum += value;
  sums.days++;
}
