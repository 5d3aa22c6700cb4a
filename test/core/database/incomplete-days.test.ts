import { expect, it } from 'vitest';
import { markIncompleteDays } from '../../../core/database/incomplete-days.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('rates', 'thin_days');

const QUOTES = ['AUD', 'CAD', 'CHF', 'GBP', 'JPY', 'NOK'];
const give = (from: string, to: string, quotes: string[]) =>
  database.pool.query(
    `insert into rates (provider, date, base, quote, rate)
     select 'ECB', day, 'EUR', quote, 1.1 from generate_series($1::date, $2::date, '1 day') day, unnest($3::text[]) quote
     on conflict do nothing`,
    [`2026-${from}`, `2026-${to}`, quotes],
  );
const mark = async (...days: string[]) => {
  const dates = days.map((day) => `2026-${day}`);
  const incomplete = await inTransaction(database, (transaction) =>
    markIncompleteDays(transaction, 'ECB', dates, '2026-03-20'),
  );
  return incomplete.map(({ date, currencies, usual }) => `${date} ${currencies} of ${usual}`);
};
const marked = () => rowsOf(database, 'select date::text, currencies, usual from thin_days order by date');

it('a day with few currencies is incomplete until the others arrive; history is not judged', async () => {
  await give('02-01', '03-19', QUOTES);
  await give('03-20', '03-20', ['AUD', 'CAD']);
  await give('01-31', '01-31', ['AUD']);
  for (const days of [['01-31', '03-19', '03-20'], ['03-20']])
    expect(await mark(...days)).toEqual(['2026-03-20 2 of 6']);
  expect(await marked()).toEqual([['2026-03-20', 2, 6]]);
  await give('03-20', '03-20', QUOTES);
  expect([await mark('03-20'), await marked()]).toEqual([[], []]);
});

it('a day is judged for thirty days, by those before it, when it changes', async () => {
  await give('01-01', '02-17', QUOTES);
  await give('02-18', '02-20', ['AUD']);
  await give('02-21', '03-20', QUOTES);
  expect(await mark('02-18')).toEqual([]);
  expect(await mark('02-19')).toEqual(['2026-02-19 1 of 6']);
  expect(await mark('02-18', '02-20', '02-21')).toEqual(['2026-02-20 1 of 6']);
  expect((await marked()).join(' ')).toBe('2026-02-19,1,6 2026-02-20,1,6');
});
