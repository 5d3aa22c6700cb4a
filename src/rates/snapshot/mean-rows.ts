import type { Periods } from '../../../core/domain/periods.js';
import type { PlainRows, TakeRates } from './row.js';

/** Computes the arithmetic means of daily rows over periods, for rows that are grouped in their own base. */
export function meanRows(daily: PlainRows, periods: Periods): PlainRows {
  const means = meansByPeriod(daily, periods);
  let next = means.next();
  return {
    quotes: daily.quotes,
    maxRows: daily.maxRows,
    draw(take, count) {
      for (let left = count; !next.done && left > 0; next = means.next()) {
        const { firstDay, rates } = next.value;
        take(firstDay, rates);
        left -= rates.length;
      }
      return !next.done;
    },
  };
}

interface PeriodMeans {
  /** Day number of the period's first day. */
  firstDay: number;
  /** In the order of the quotes; NaN if there is no rate. */
  rates: Float64Array;
}

const RATES_AT_ONCE = 256;

function* meansByPeriod({ draw, quotes }: PlainRows, periods: Periods): Generator<PeriodMeans> {
  const sums = new Float64Array(quotes.length);
  const counts = new Int32Array(quotes.length);
  let complete: PeriodMeans[] = [];
  let current: { firstDay: number; lastDay: number } | undefined;
  const finish = () => {
    // Without any rate this is 0 / 0, which is NaN.
    if (current)
      complete.push({
        firstDay: current.firstDay,
        rates: sums.map((sum, index) => sum / (counts[index] ?? 0)),
      });
    sums.fill(0);
    counts.fill(0);
  };
  const take: TakeRates = (day, rates) => {
    if (!current || day > current.lastDay) {
      finish();
      current = { firstDay: periods.firstDayOf(day), lastDay: periods.lastDayOf(day) };
    }
    for (let index = 0; index < rates.length; index++) {
      const rate = rates[index] ?? Number.NaN;
      if (Number.isNaN(rate)) continue;
      sums[index] = (sums[index] ?? 0) + rate;
      counts[index] = (counts[index] ?? 0) + 1;
    }
  };
  for (let hasMore = true; hasMore; ) {
    hasMore = draw(take, RATES_AT_ONCE);
    if (!hasMore) finish();
    yield* complete;
    complete = [];
  }
}
