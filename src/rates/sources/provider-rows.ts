import { periodsOf } from '../../../core/domain/periods.js';
import { meanRows } from '../snapshot/mean-rows.js';
import type { PlainRows, RateRows } from '../snapshot/row.js';
import { plainRows, type RowsRequest } from '../snapshot/rows.js';
import { withStats } from '../snapshot/stats.js';
import type { ProviderRates } from './provider-rates.js';

/** With `group`, rows are means of its own rows. Rates dated from `tomorrow` (day number) are not the newest yet. */
export function providerRows(
  rates: ProviderRates,
  request: RowsRequest,
  tomorrow: number,
): RateRows<PlainRows> {
  const { base, when } = request;
  const days = rates.columnsFor(base);
  const own = rates.ownFor(base);
  const daily = (when: RowsRequest['when']): RateRows<PlainRows> => {
    const plain = plainRows({ days, allDays: rates.days }, { ...request, own, when }, tomorrow);
    return { ...plain, rows: rates.markSuspects(plain.rows, base) };
  };
  if (when.form !== 'range' || when.period === 'day') return daily(when);
  const periods = periodsOf(when.period, when);
  const whole = { from: periods.firstDayOf(when.from), to: periods.lastDayOf(when.to) };
  const { rows, estimate } = daily({ ...when, ...whole, period: 'day' });
  const means = meanRows(rows, periods);
  return { rows: when.stats ? withStats(means, days, { base, own }, when) : means, estimate };
}
