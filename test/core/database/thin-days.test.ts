import { afterAll, beforeAll, expect, it } from 'vitest';
import { markThinDays } from '../../../core/database/thin-days.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('a day with few currencies is thin until the others arrive; history is not judged', async () => {
  const quotes = ['AUD', 'CAD', 'CHF', 'GBP', 'JPY', 'NOK'];
  const give = (from: string, to: string, some: string[]) =>
    database.pool.query(
      `insert into rates (provider, date, base, quote, rate)
       select 'ECB', day, 'EUR', quote, 1.1 from generate_series($1::date, $2::date, '1 day') day, unnest($3::text[]) quote
       on conflict do nothing`,
      [from, to, some],
    );
  const mark = (...days: string[]) =>
    inTransaction(database, (transaction) => markThinDays(transaction, 'ECB', days, '2026-03-20'));
  const marked = async () =>
    (await database.pool.query(`select date::text from thin_days where provider = 'ECB'`)).rows;
  await give('2026-02-01', '2026-03-19', quotes);
  await give('2026-03-20', '2026-03-20', ['AUD', 'CAD']);
  await give('2026-01-31', '2026-01-31', ['AUD']);
  const thin = [{ date: '2026-03-20', currencies: 2, usual: 6 }];
  expect(await mark('2026-01-31', '2026-03-19', '2026-03-20')).toEqual(thin);
  expect(await mark('2026-03-20')).toEqual(thin);
  expect(await marked()).toEqual([{ date: '2026-03-20' }]);
  await give('2026-03-20', '2026-03-20', quotes);
  expect(await mark('2026-03-20')).toEqual([]);
  expect(await marked()).toEqual([]);
});

it('a day is judged for thirty days, by those before it, when it changes', async () => {
  const quotes = ['AUD', 'CAD', 'CHF', 'GBP', 'JPY', 'NOK'];
  const give = (from: string, to: string, some: string[]) =>
    database.pool.query(
      `insert into rates (provider, date, base, quote, rate)
       select 'BOC', day, 'USD', quote, 1.1 from generate_series($1::date, $2::date, '1 day') day, unnest($3::text[]) quote`,
      [from, to, some],
    );
  await give('2026-01-01', '2026-02-17', quotes);
  await give('2026-02-18', '2026-02-20', ['AUD']);
  await give('2026-02-21', '2026-03-20', quotes);
  const mark = (...days: string[]) =>
    inTransaction(database, (transaction) => markThinDays(transaction, 'BOC', days, '2026-03-20'));
  const thin = (date: string) => ({ date, currencies: 1, usual: 6 });
  expect(await mark('2026-02-18')).toEqual([]);
  expect(await mark('2026-02-19')).toEqual([thin('2026-02-19')]);
  expect(await mark('2026-02-18', '2026-02-20', '2026-02-21')).toEqual([thin('2026-02-20')]);
  const { rows } = await database.pool.query({
    text: `select date::text, currencies, usual from thin_days where provider = 'BOC' order by date`,
    rowMode: 'array',
  });
  expect(rows).toEqual([
    ['2026-02-19', 1, 6],
    ['2026-02-20', 1, 6],
  ]);
});
