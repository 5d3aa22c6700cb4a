import { expect, it } from 'vitest';
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
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('providers', 'pair_coverage', 'currencies');

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
    const keys = rows.map(([provider]) => provider);
    await ensureProviders(transaction, keys);
    await extendCoverage(transaction, coverageOf(...rows));
  });

const rows: Published[] = [
  ['ECB', '2026-03-04', 'EUR/USD'],
  ['ECB', '2026-03-02', 'EUR/CAD'],
  ['ECB', '2026-03-03', 'EUR/USD'],
  ['BOC', '2026-03-09', 'USD/CAD'],
];

it('rows in any order cover the days of their pairs, by provider', () => {
  const pairs = {
    ECB: { 'EUR USD': '2026-03-03/2026-03-04', 'EUR CAD': '2026-03-02/2026-03-02' },
    BOC: { 'USD CAD': '2026-03-09/2026-03-09' },
  };
  for (const any of [rows, rows.toReversed()]) expect(plain(coverageOf(...any))).toEqual(pairs);
  expect(plain(coverageOf())).toEqual({});
});

it.each([
  ['at once', [rows]],
  ['one by one', rows.map((row) => [row])],
])('what is read covers both currencies of each row, stored %s', async (_, parts) => {
  for (const part of parts) await extend(...part);
  expect(plain(await readCoverage(database))).toEqual({
    ECB: { EUR: '2026-03-02/2026-03-04', USD: '2026-03-03/2026-03-04', CAD: '2026-03-02/2026-03-02' },
    BOC: { USD: '2026-03-09/2026-03-09', CAD: '2026-03-09/2026-03-09' },
  });
  expect(await rowsOf(database, 'select key, start_date, end_date from providers order by key')).toEqual([
    ['BOC', '2026-03-09', '2026-03-09'],
    ['ECB', '2026-03-02', '2026-03-04'],
  ]);
});

it('days that are covered already change no row', async () => {
  await extend(...rows);
  const tables = ['pair_coverage', 'providers', 'currencies'];
  const read = (table: string) => rowsOf(database, `select xmin::text, * from ${table} order by 2, 3`);
  const before = await Promise.all(tables.map(read));
  await extend(['ECB', '2026-03-03', 'EUR/USD']);
  expect(await Promise.all(tables.map(read))).toEqual(before);
});

it('the newest day is that of any pair, and before all others where there is none', async () => {
  expect(await inTransaction(database, newestDayOfRates)).toBe('');
  await extend(...rows, ['ECB', '2026-03-10', 'EUR/GBP']);
  expect(await inTransaction(database, newestDayOfRates)).toBe('2026-03-10');
});

const DAY = { start: '1990-01-02', end: '1990-01-02' };
const span = (from: string, to: string) => ({ start: `2026-${from}`, end: `2026-${to}` });
const SPAN = span('03-02', '03-10');

it.each<[what: string, rows: Published[], spans: Record<string, { start: string; end: string } | undefined>]>(
  [
    [
      'on which any provider published it that is blended',
      [...rows, ['BIS', '1990-01-31', 'USD/GBP'], ['HMRC', '2026-04-01', 'GBP/EUR']],
      { EUR: span('03-02', '03-04'), USD: span('03-03', '03-09'), GBP: undefined },
    ],
    [
      'of its anchor, where it is pegged',
      [...['10', '02', '05'].map((day): Published => ['ECB', `2026-03-${day}`, 'EUR/USD'])],
      { EUR: SPAN, USD: SPAN, AED: SPAN },
    ],
    ['after its peg began', [['ECB', '1990-01-02', 'EUR/USD']], { BMD: DAY, AED: undefined }],
    [
      'before its peg ended',
      [
        ['ECB', '2025-06-02', 'EUR/USD'],
        ['ECB', '2025-07-10', 'EUR/USD'],
      ],
      { ANG: { start: '2025-06-02', end: '2025-06-30' } },
    ],
    ['none after that', [['ECB', '2025-07-01', 'EUR/USD']], { ANG: undefined }],
  ],
)('a currency has the days %s', async (_, rows, spans) => {
  for (const row of rows) await extend(row);
  const currencies = await readCurrencies(database);
  const found = Object.keys(spans).map((code) => [code, currencies.get(code)]);
  expect(Object.fromEntries(found)).toEqual(spans);
});
