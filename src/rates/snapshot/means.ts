import { firstDayOf, type Period } from '../../../core/domain/periods.js';
import { type Column, type Columns, columnsOf, rateAt, type Series, SeriesBuilder } from './columns.js';

/** The arithmetic mean of each column over each period, dated with the period's first day. */
export function meansOf(columns: Columns, period: Exclude<Period, 'day'>): Columns {
  const firsts = Int32Array.from(columns.days, (day) => firstDayOf(period, day));
  return columnsOf(
    [...columns.byQuote].map(([quote, column]) => [quote, meansOver(firsts, column)] as const),
  );
}

/** The mean of the rates in each period; `firsts` holds for each day the first day of its period. */
function meansOver(firsts: Int32Array, column: Column): Series {
  const means = new SeriesBuilder();
  let sum = 0;
  let count = 0;
  firsts.forEach((first, dayIndex) => {
    const rate = rateAt(column, dayIndex);
    if (!Number.isNaN(rate)) {
      sum += rate;
      count++;
    }
    if (count === 0 || firsts[dayIndex + 1] === first) return;
    means.append(first, sum / count);
    sum = 0;
    count = 0;
  });
  return means.finish();
}
