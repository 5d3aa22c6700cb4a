import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markIncompleteDays, usualOfIncompleteDay } from '../../../core/database/incomplete-days.js';
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

it.each([
  [15, Array(30).fill(30), undefined],
  [14, Array(30).fill(30), 30],
  // Five days are enough to judge by.
  [1, [10, 10, 10, 10], undefined],
  [1, [10, 10, 10, 10, 10], 10],
  [4, [20, 20, 10, 9, 8], 10],
  // Of two in the middle, the smaller.
  [4, [20, 20, 20, 10, 9, 8], 10],
])('a day is incomplete with less than half of the median: %i after %j, %s', (currencies, before, usual) => {
  expect(usualOfIncompleteDay(currencies, before)).toBe(usual);
});

const counts = fc.array(fc.integer({ min: 1, max: 180 }), { minLength: 5, maxLength: 30 });

it('no more currencies make a day incomplete, and no order of the days before it', () => {
  fc.assert(
    fc.property(counts, fc.nat(180), fc.nat(180), (before, currencies, more) => {
      const usual = usualOfIncompleteDay(currencies, before);
      expect(usualOfIncompleteDay(currencies, before.toReversed())).toBe(usual);
      if (usual === undefined) expect(usualOfIncompleteDay(currencies + more, before)).toBeUndefined();
      else {
        expect(before).toContain(usual);
        expect(currencies).toBeLessThan(usual);
        const above = before.filter((one) => one > currencies * 2);
        expect(above.length * 2).toBeGreaterThanOrEqual(before.length);
      }
      // Nor is a day like one of at least half of the days before it.
      const median = before.toSorted((one, other) => one - other)[Math.floor(before.length / 2)] ?? 0;
      expect(usualOfIncompleteDay(median, before)).toBeUndefined();
    }),
  );
});
