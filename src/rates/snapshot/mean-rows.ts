import type { Periods } from '../../../core/domain/periods.js';
import type { PlainRows, RatesOfDate } from './row.js';

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
