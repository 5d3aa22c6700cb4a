import { expect, it } from 'vitest';
import { replaceBlendedDays, wholeHistory } from '../../../core/database/blended-rates.js';
import { readBlendedSeries } from '../../../core/database/bulk/read-series.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import { dayNumber, eachDay } from '../../../core/domain/dates.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('rates', 'blended_days');

const march = { from: '2026-03-01', to: '2026-03-31' };
const blends = [...eachDay(march.from, march.to)].map((date, index) => ({
  date,
  quote: 'EUR',
  rate: index % 3 === 0 ? 1e9 + index : 1 / (index + 3),
}));
const read = (table: string) => rowsOf(database, `select * from ${table} order by 1, 2`);
const replace = (rates: typeof blends) =>
  inTransaction(database, (transaction) => replaceBlendedDays(transaction, march, rates));

it('days become what is given, and the first and the last that changed are returned', async () => {
  expect(await replace(blends)).toEqual(march);
  expect(await replace(blends)).toBeUndefined();
  const changed = blends
    .filter(({ date }) => date !== '2026-03-20')
    .map((blend) => (blend.date === '2026-03-10' ? { ...blend, rate: 2 } : blend));
  expect(await replace(changed)).toEqual({ from: '2026-03-10', to: '2026-03-20' });
  expect(await read('blended_days')).toEqual(changed.map(({ date, quote, rate }) => [date, quote, rate]));
  expect(await inTransaction(database, wholeHistory)).toEqual(march);
  await database.pool.query(
    `insert into rates (provider, date, base, quote, rate)
     values ('ECB', '2026-02-27', 'EUR', 'USD', 1), ('ECB', '2026-04-01', 'EUR', 'USD', 1)`,
  );
  expect(await inTransaction(database, wholeHistory)).toEqual({ from: '2026-02-27', to: '2026-04-01' });
});

it.each([
  [undefined, 31],
  [{ from: dayNumber('2026-03-30'), to: dayNumber('2026-04-30') }, 2],
  [{ from: 0, to: 1 }, 0],
])('series are read whole or for a window: %j', async (window, length) => {
  await replace(blends);
  const series = await inOneView(database, (view) => readBlendedSeries(view, window));
  const found = series.map(([quote, { days, rates }]) => [quote, days.length, rates.length]);
  expect(found).toEqual(length > 0 ? [['EUR', length, length]] : []);
});
