import type { Periods } from '../../../core/domain/periods.js';
import { sumsByPeriod } from './period-sums.js';
import type { PlainRows } from './row.js';

/** The arithmetic means of daily rows over periods, for rows that are grouped in their own base. */
export function meanRows(daily: PlainRows, periods: Periods): PlainRows {
  const summed = sumsByPeriod(daily, periods);
  const rates = new Float64Array(daily.quotes.length);
  let next = summed.next();
  return {
    quotes: daily.quotes,
    maxRows: daily.maxRows,
    draw(take, count) {
      for (let left = count; !next.done && left > 0; next = summed.next()) {
        const { firstDay, sums, counts } = next.value;
        // Without any rate it is 0 / 0, which is NaN.
        sums.forEach((sum, index) => {
          rates[index] = sum / (counts[index] ?? 0);
        });
        take(firstDay, rates);
        left -= rates.length;
      }
      return !next.done;
    },
  };
}
