import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  cover,
  extendCoverage,
  type GrowingCoverage,
  newestDayOfRates,
  readCoverage,
  readCurrencies,
} from '../../../core/database/coverage.js';
import { ensureProviders } from '../../../core/database/providers.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate providers, pair_coverage, currencies cascade'));

type Published = [provider: string, date: string, pair: string];

function coverageOf(...rows: Published[]): GrowingCoverage {
  const coverage: GrowingCoverage = new Map();
  for (const [provider, date, pair] of rows)
    cover(coverage, provider, { date, base: pair.slice(0, 3), quote: pair.slice(4) });
  return coverage;
}

/** Coverage as plain objects, each span as its two days. */
const plain = (coverage: ReadonlyMap<string, ReadonlyMap<string, { start: string; end: string }>>) =>
  Object.fromEntries(
    [...coverage].map(([provider, spans]) => [
      provider,
      Object.fromEntries([...spans].map(([currency, { start, end }]) => [currency, `${start}/${end}`])),
    ]),
  );

const extend = (...rows: Published[]) =>
  inTransaction(database, async (transaction) => {
    await ensureProviders(
      transaction,
      rows.map(([provider]) => provider),
    );
    await extendCoverage(transaction, coverageOf(...rows));
  });

const rows: Published[] = [
  ['ECB', '2026-03-04', 'EUR/USD'],
  ['ECB', '2026-03-02', 'EUR/CAD'],
  ['ECB', '2026-03-03', 'EUR/USD'],
  ['BOC', '2026-03-09', 'USD/CAD'],
];
const covered = {
  ECB: { EUR: '2026-03-02/2026-03-04', USD: '2026-03-03/2026-03-04', CAD: '2026-03-02/2026-03-02' },
  BOC: { USD: '2026-03-09/2026-03-09', CAD: '2026-03-09/2026-03-09' },
};

it('rows in any order cover the days of their pairs, by provider', () => {
  const pairs = {
    ECB: { 'EUR USD': '2026-03-03/2026-03-04', 'EUR CAD': '2026-03-02/2026-03-02' },
    BOC: { 'USD CAD': '2026-03-09/2026-03-09' },
  };
  expect(plain(coverageOf(...rows))).toEqual(pairs);
  expect(plain(coverageOf(...rows.toReversed()))).toEqual(pairs);
  expect(plain(coverageOf())).toEqual({});
});

it('what is read covers both currencies of each row, stored at once or one by one', async () => {
  await extend(...rows);
  expect(plain(await readCoverage(database))).toEqual(covered);
  await database.pool.query('truncate providers, pair_coverage, currencies cascade');
  for (const row of rows) await extend(row);
  expect(plain(await readCoverage(database))).toEqual(covered);
});

it('days that are covered already change no row', async () => {
  await extend(...rows);
  const written = async () =>
    Promise.all(
      ['pair_coverage', 'providers', 'currencies'].map(
        async (table) => (await database.pool.query(`select xmin::text, * from ${table} order by 2, 3`)).rows,
      ),
    );
  const before = await written();
  await extend(['ECB', '2026-03-03', 'EUR/USD']);
  expect(await written()).toEqual(before);
});

it('a provider has the days of all of its currencies', async () => {
  await extend(...rows);
  const { rows: found } = await database.pool.query({
    text: 'select key, start_date, end_date from providers order by key',
    rowMode: 'array',
  });
  expect(found).toEqual([
    ['BOC', '2026-03-09', '2026-03-09'],
    ['ECB', '2026-03-02', '2026-03-04'],
  ]);
});

it('the newest day is that of any pair, and before all others where there is none', async () => {
  const newest = () => inTransaction(database, newestDayOfRates);
  expect(await newest()).toBe('');
  await extend(
    ['BOC', '2026-03-09', 'USD/CAD'],
    ['ECB', '2026-03-02', 'EUR/USD'],
    ['ECB', '2026-03-10', 'EUR/USD'],
  );
  expect(await newest()).toBe('2026-03-10');
});

it('a currency has the days on which any provider published it that is blended', async () => {
  await extend(...rows, ['BIS', '1990-01-31', 'USD/GBP'], ['HMRC', '2026-04-01', 'GBP/EUR']);
  const currencies = await readCurrencies(database);
  expect(currencies.get('EUR')).toEqual({ start: '2026-03-02', end: '2026-03-04' });
  expect(currencies.get('USD')).toEqual({ start: '2026-03-03', end: '2026-03-09' });
  expect(currencies.has('GBP')).toBe(false);
});

it('a currency that is pegged since after its anchor ended has no days', async () => {
  await extend(['ECB', '1990-01-02', 'EUR/USD']);
  const currencies = await readCurrencies(database);
  expect(currencies.get('BMD')).toEqual({ start: '1990-01-02', end: '1990-01-02' });
  expect(currencies.has('AED')).toBe(false);
});

it('a currency that is pegged has days only while its peg is in force', async () => {
  await extend(['ECB', '2025-06-02', 'EUR/USD'], ['ECB', '2025-07-10', 'EUR/USD']);
  expect((await readCurrencies(database)).get('ANG')).toEqual({ start: '2025-06-02', end: '2025-06-30' });
  await database.pool.query('truncate providers, pair_coverage, currencies cascade');
  await extend(['ECB', '2025-07-01', 'EUR/USD']);
  expect((await readCurrencies(database)).has('ANG')).toBe(false);
});
