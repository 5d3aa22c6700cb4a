import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markIncompleteDays } from '../../../core/database/incomplete-days.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { propertyRuns } from '../../support/property-runs.js';
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

/** Stores this number of pairs of the ECB for 20 March, and those of `before` for the days before it, newest first. */
async function usualOf(currencies: number, before: readonly number[]): Promise<number | undefined> {
  await database.pool.query('truncate rates, thin_days');
  await database.pool.query(
    `insert into rates (provider, date, base, quote, rate)
     select 'ECB', '2026-03-21'::date - day::int, 'EUR', 'Q' || number, 1.1
     from unnest($1::int[]) with ordinality as of_day (pairs, day), generate_series(1, pairs) as number`,
    [[currencies, ...before]],
  );
  const [day] = await mark('03-20');
  return day === undefined ? undefined : Number(day.split(' of ')[1]);
}

it.each([
  [15, Array(30).fill(30), undefined],
  [14, Array(30).fill(30), 30],
  // Five days are enough to judge by.
  [1, [10, 10, 10, 10], undefined],
  [1, [10, 10, 10, 10, 10], 10],
  [4, [20, 20, 10, 9, 8], 10],
  // Of two in the middle, the smaller.
  [4, [20, 20, 20, 10, 9, 8], 10],
])(
  'a day is incomplete with less than half of the median: %i after %j, %s',
  async (currencies, before, usual) => {
    expect(await usualOf(currencies, before)).toBe(usual);
  },
);

const number = fc.integer({ min: 1, max: 50 });
const counts = fc.array(number, { minLength: 5, maxLength: 30 });

it('no more currencies make a day incomplete, and no order of the days before it', async () => {
  await fc.assert(
    fc.asyncProperty(counts, number, fc.nat(50), async (before, currencies, more) => {
      const usual = await usualOf(currencies, before);
      expect(await usualOf(currencies, before.toReversed())).toBe(usual);
      if (usual === undefined) expect(await usualOf(currencies + more, before)).toBeUndefined();
      else {
        expect(before).toContain(usual);
        expect(currencies).toBeLessThan(usual);
        const above = before.filter((one) => one > currencies * 2);
        expect(above.length * 2).toBeGreaterThanOrEqual(before.length);
      }
      // Nor is a day like one of at least half of the days before it.
      const median = before.toSorted((one, other) => one - other)[Math.floor(before.length / 2)] ?? 0;
      expect(await usualOf(median, before)).toBeUndefined();
    }),
    propertyRuns(),
  );
});
