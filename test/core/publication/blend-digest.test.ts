import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Columns, columnsOf, type NamedSeries } from '../../../core/columns/columns.js';
import { digestBlends } from '../../../core/database/digest.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { blendedPeriods, digestOf } from '../../../core/publication/blend-digest.js';
import { seriesIn } from '../../../core/publication/blended-columns.js';
import { dayFile, publishedDays } from '../../../core/publication/day-files.js';
import { writeTable } from '../../../core/publication/write-table.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';
import { readTable } from '../../support/read-table.js';

// Rates of two years, among them pegged currencies, also on days on which what they are pegged to has none.
const PEGGED = ['2025-12-30', '2026-01-02', '2026-02-14', '2026-02-15', '2026-03-20'].flatMap((date) =>
  (
    [
      ['SAR', 3.7502],
      ['AED', 3.673],
      ['DKK', 6.49],
      ['XOF', 571.2],
      ['BAM', 1.701],
    ] as const
  ).map(([quote, rate]) => ({ provider: 'BOE', date, base: 'USD', quote, rate })),
);

let database: TestDatabase;
let api: TestApi;
let columns: Columns;
beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, [...someRates('2025-11-20'), ...PEGGED]);
  api = await startApi(database, { clock: () => new Date('2026-03-25T12:00:00Z') });
  columns = await columnsFromFiles();
}, 120_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** What is blended, written into a file a year by the text of each row, and read from there. */
async function columnsFromFiles(): Promise<Columns> {
  const { rows } = await database.pool.query<{ day: number; quote: string; rate: number }>(
    `select date - date '1970-01-01' as day, quote::text, rate from blended_days order by quote collate "C", date`,
  );
  const series: NamedSeries[] = [];
  for (const [from, to] of [
    ['2025-01-01', '2025-12-31'],
    ['2026-01-01', '2026-12-31'],
  ] as const) {
    const own = rows.filter(({ day }) => day >= dayNumber(from) && day <= dayNumber(to));
    const file = writeTable('blended', {
      date: Int32Array.from(own, ({ day }) => day),
      base: own.map(() => 'USD'),
      quote: own.map(({ quote }) => quote),
      rate: Float64Array.from(own, ({ rate }) => rate),
    });
    series.push(...seriesIn(await readTable('blended', file, { path: from, most: own.length })));
  }
  return columnsOf(series);
}

it('is that of the database for days, weeks and months', async () => {
  const { tables } = await digestBlends(database);
  const digest = await digestOf(blendedPeriods(columns));
  expect(tables.map(({ rows }) => rows).every((rows) => rows > 50)).toBe(true);
  expect(Object.entries(digest).map(([period, of]) => ({ period, ...of }))).toEqual(tables);
});

it('is that of no rows where there are none', async () => {
  const nothing = columnsOf([]);
  const { day, week, month } = await digestOf(blendedPeriods(nothing));
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect([day, week, month]).toEqual(new Array(3).fill({ rows: 0, sha256: empty }));
});

it('is another one where a single bit of a rate is', async () => {
  const rates = columns.rates.slice();
  const at = rates.findIndex((rate) => !Number.isNaN(rate) && rate !== 1);
  rates[at] = (rates[at] ?? 0) * (1 + Number.EPSILON);
  const others = columns.columns.map((column) => ({ ...column, rates }));
  const changed = { ...columns, rates, columns: others };
  expect((await digestOf({ day: changed, week: columns, month: columns })).day.sha256).not.toBe(
    (await digestOf({ day: columns, week: columns, month: columns })).day.sha256,
  );
});

describe('the file of a day', () => {
  it('has what the API answers for that day, with all digits', async () => {
    const { first, last } = publishedDays(columns) ?? { first: 0, last: -1 };
    expect(last - first).toBeGreaterThan(100);
    for (let day = first; day <= last; day += 9) {
      const { date, rates, observed } = JSON.parse(dayFile(columns, day).toString()) as {
        date: string;
        rates: Record<string, number>;
        observed: Record<string, string>;
      };
      const answer = await fetch(`${api.url}/v2/rates?base=USD&date=${date}&precision=full`);
      const rows = (await answer.json()) as { date: string; quote: string; rate: number }[];
      const shown = Object.entries(rates).map(([quote, rate]) => [quote, Number(rate.toPrecision(12))]);
      expect(Object.fromEntries(rows.map(({ quote, rate }) => [quote, rate]))).toEqual(
        Object.fromEntries(shown),
      );
      for (const row of rows) expect(observed[row.quote] ?? date).toBe(row.date);
    }
  });
});
