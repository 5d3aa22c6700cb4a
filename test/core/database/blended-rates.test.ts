import { expect, it } from 'vitest';
import { recomputeMeans, replaceBlendedDays, wholeHistory } from '../../../core/database/blended-rates.js';
import { eachBlendedSeries } from '../../../core/database/bulk/read-series.js';
import { sql } from '../../../core/database/sql.js';
import { inBulkTransaction, inOneView, inTransaction } from '../../../core/database/transactions.js';
import { dayNumber, eachDay } from '../../../core/domain/dates.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('rates', 'blended_days', 'blended_weeks', 'blended_months');

const march = { from: '2026-03-01', to: '2026-03-31' };
/** Numbers whose sum depends on the order in which they are added. */
const blends = [...eachDay(march.from, march.to)].map((date, index) => ({
  date,
  quote: 'EUR',
  rate: index % 3 === 0 ? 1e9 + index : 1 / (index + 3),
}));
const read = (table: string) => rowsOf(database, `select * from ${table} order by 1, 2`);
const replace = (rates: typeof blends) =>
  inTransaction(database, (transaction) => replaceBlendedDays(transaction, march, rates));
const mean = (rows: readonly { rate: number }[]) =>
  rows.reduce((sum, { rate }) => sum + rate, 0) / rows.length;

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

const ORDERS = ['as they come', 'the other way round', 'corrected'];
it.each(ORDERS)('means do not depend on how the days lie on disk: %s', async (how) => {
  const given = how === 'the other way round' ? [...blends].reverse() : blends;
  for (const { date, quote, rate } of given)
    await database.pool.query('insert into blended_days values ($1, $2, $3)', [date, quote, rate]);
  // A corrected row moves to the end of the table.
  if (how === 'corrected')
    await database.pool.query(`update blended_days set rate = rate where date < '2026-03-12'`);
  await inBulkTransaction(database, (transaction) => recomputeMeans(transaction, march));
  expect(await read('blended_months')).toEqual([['2026-03-01', 'EUR', mean(blends)]]);
  const secondWeek = blends.filter(({ date }) => date >= '2026-03-09' && date <= '2026-03-15');
  expect((await read('blended_weeks'))[2]).toEqual(['2026-03-09', 'EUR', mean(secondWeek)]);
});

it('means of decades are no loop over all of them for each, where their days were counted meanwhile', async () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRST'];
  const quotes = letters.flatMap((letter) => [`Q${letter}A`, `Q${letter}B`]);
  const decades = { from: '2001-01-01', to: '2025-12-31' };
  await inBulkTransaction(database, async (transaction) => {
    await transaction.execute(
      sql`insert into blended_days
          select day::date, quote, 1 from generate_series('2001-01-01'::timestamp, '2025-12-31', '1 day') as day,
            unnest(${quotes}::varchar[]) as quote`,
    );
    // By others the rows are not seen before the transaction ends: the table has many pages, and no row.
    await database.pool.query('analyze blended_days');
    await recomputeMeans(transaction, decades);
  });
  expect(await read('blended_months')).toHaveLength(40 * 25 * 12);
});

it.each([
  [undefined, 31],
  [{ from: dayNumber('2026-03-30'), to: dayNumber('2026-04-30') }, 2],
  [{ from: 0, to: 1 }, 0],
])('series are read whole or for a window: %j', async (window, length) => {
  await replace(blends);
  const found: unknown[] = [];
  await inOneView(database, (view) =>
    eachBlendedSeries(view, 'day', window, ({ quote, length, each }) => {
      let days = 0;
      each(() => days++);
      found.push([quote, length, days]);
    }),
  );
  expect(found).toEqual(length > 0 ? [['EUR', length, length]] : []);
});
