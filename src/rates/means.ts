import type { Column } from './columns.js';
import { ColumnBuilder, type Columns, columnsOf } from './columns.js';
import { firstDayOf, type Period } from './periods.js';

/** The arithmetic mean of each column over each period, dated with the period's first day. */
export function meansOf(columns: Columns, period: Exclude<Period, 'day'>): Columns {
  return columnsOf([...columns.byQuote].map(([quote, column]) => [quote, meanOf(column, period)] as const));
}

function meanOf({ days, rates }: Column, period: Period): Column {
  const means = new ColumnBuilder();
  let sum = 0;
  let count = 0;
  days.forEach((day, index) => {
    const first = firstDayOf(period, day);
    sum += rates[index] ?? 0;
    count++;
    const next = days[index + 1];
    if (next !== undefined && firstDayOf(period, next) === first) return;
    means.append(first, sum / count);
    sum = 0;
    count = 0;
  });
  return means.finish();
}
