import { expect, it } from 'vitest';
import { columnsOf, type NamedSeries } from '../../../core/columns/columns.js';
import { digestOf } from '../../../core/columns/digest.js';
import { blendedPeriods } from '../../../core/columns/means.js';
import { digestBlends } from '../../../core/database/rates.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { dayFile, publishedDays } from '../../../core/publication/day-files.js';
import { seriesIn } from '../../../core/publication/tables.js';
import { writeTable } from '../../../core/publication/write-table.js';
import { someRates } from '../../support/rates.js';
import { readTable } from '../../support/read-table.js';
import { sharedApi, sharedDatabase } from '../../support/shared.js';

/** Rates of two years, among them pegged currencies, also on days on which what they are pegged to has none. */
const PEGGED = { SAR: 3.7502, AED: 3.673, DKK: 6.49, XOF: 571.2, BAM: 1.701 };
const ROWS = [
  ...someRates('2025-12-15'),
  ...['2025-12-30', '2026-01-02', '2026-02-14', '2026-02-15', '2026-03-20'].flatMap((date) =>
    Object.entries(PEGGED).map(([quote, rate]) => ({ provider: 'BOE', date, base: 'USD', quote, rate })),
  ),
];
const database = await sharedDatabase(ROWS);

/** What is blended, written into a file a year by the text of each row, and read from there. */
async function columnsFromFiles() {
  const { rows } = await database.pool.query<{ day: number; quote: string; rate: number }>(
    `select date - date '1970-01-01' as day, quote::text, rate from blended_days order by quote collate "C", date`,
  );
  const series: NamedSeries[] = [];
  for (const year of [2025, 2026]) {
    const [from, to] = [dayNumber(`${year}-01-01`), dayNumber(`${year}-12-31`)];
    const own = rows.filter(({ day }) => day >= from && day <= to);
    const file = writeTable('blended', {
      date: Int32Array.from(own, ({ day }) => day),
      base: own.map(() => 'USD'),
      quote: own.map(({ quote }) => quote),
      rate: Float64Array.from(own, ({ rate }) => rate),
    });
    series.push(...seriesIn(await readTable('blended', file, { path: 'a file', most: own.length })));
  }
  return columnsOf(series);
}
const columns = await columnsFromFiles();

it('is that of the database for days, weeks and months', async () => {
  const { periods } = await digestBlends(database);
  const digest = digestOf(blendedPeriods(columns));
  expect(periods.map(({ rows }) => rows).every((rows) => rows > 50)).toBe(true);
  expect(Object.entries(digest).map(([period, of]) => ({ period, ...of }))).toEqual(periods);
  const { rows } = await database.pool.query(
    `select count(*)::int as rows, encode(sha256(string_agg(
       date_send(date) || textsend(quote::text) || float8send(rate), ''::bytea order by date, quote collate "C"
     )), 'hex') as sha256 from blended_days`,
  );
  expect([digest.day]).toEqual(rows);
});

it('is that of no rows where there are none', async () => {
  const { day, week, month } = digestOf(blendedPeriods(columnsOf([])));
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect([day, week, month]).toEqual(new Array(3).fill({ rows: 0, sha256: empty }));
});

it('is another one where a single bit of a rate is', async () => {
  const rates = columns.rates.slice();
  const at = rates.findIndex((rate) => !Number.isNaN(rate) && rate !== 1);
  rates[at] = (rates[at] ?? 0) * (1 + Number.EPSILON);
  const others = columns.columns.map((column) => ({ ...column, rates }));
  const hashOf = (days: typeof columns) => digestOf({ days, weeks: columns, months: columns }).day.sha256;
  expect(hashOf({ ...columns, rates, columns: others })).not.toBe(hashOf(columns));
});

it('the file of a day has what the API answers for that day, with all digits', async () => {
  const api = await sharedApi(ROWS, { now: '2026-03-25T12:00:00Z' });
  const days = publishedDays(columns);
  expect(days.length).toBeGreaterThan(81);
  for (const day of days.filter((_, at) => at % 9 === 0)) {
    const { date, rates, observed } = JSON.parse(dayFile(columns, day).toString()) as {
      date: string;
      rates: Record<string, number>;
      observed: Record<string, string>;
    };
    const answer = await fetch(`${api.url}/v2/rates?base=USD&date=${date}&precision=full`);
    const rows = (await answer.json()) as { date: string; quote: string; rate: number }[];
    const published = Object.entries(rates).map(([quote, rate]) => ({
      ...{ base: 'USD', quote, date: observed[quote] ?? date, rate: Number(rate.toPrecision(12)) },
    }));
    const byQuote = (one: { quote: string }, other: { quote: string }) => (one.quote < other.quote ? -1 : 1);
    expect(rows.sort(byQuote)).toMatchObject(published.sort(byQuote));
  }
});
