import type { Periods } from '../../../core/domain/periods.js';
import type { PlainRows, TakeRates } from './row.js';

/** The daily rates of one period, summed up. */
export interface SummedPeriod {
  /** Day number of the period's first day. */
  readonly firstDay: number;
  /** In the order of the quotes. */
  readonly sums: Float64Array;
  /** How many rates each sum has. */
  readonly counts: Int32Array;
}

const RATES_AT_ONCE = 256;

/** Sums up daily rows by period. */
export function* sumsByPeriod({ draw, quotes }: PlainRows, periods: Periods): Generator<SummedPeriod> {
  let current: (SummedPeriod & { lastDay: number }) | undefined;
  let complete: SummedPeriod[] = [];
  const take: TakeRates = (day, rates) => {
    if (!current || day > current.lastDay) {
      if (current) complete.push(current);
      current = {
        firstDay: periods.firstDayOf(day),
        lastDay: periods.lastDayOf(day),
        sums: new Float64Array(quotes.length),
        counts: new Int32Array(quotes.length),
      };
    }
    const { sums, counts } = current;
    for (let index = 0; index < rates.length; index++) {
      const rate = rates[index] ?? Number.NaN;
      if (Number.isNaN(rate)) continue;
      sums[index] = (sums[index] ?? 0) + rate;
      counts[index] = (counts[index] ?? 0) + 1;
    }
  };
  for (let hasMore = true; hasMore; ) {
    hasMore = draw(take, RATES_AT_ONCE);
    yield* complete;
    complete = [];
  }
  if (current) yield current;
}
