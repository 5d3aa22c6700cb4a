import { expect, it } from 'vitest';
import * as store from '../../../core/database/coverage.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('providers', 'pair_coverage', 'currencies');

type Spans = ReadonlyMap<string, { from: string; to: string }>;
/** Spans as an object, each as its two days. */
const plainSpans = (spans: Spans) =>
  Object.fromEntries([...spans].map(([of, { from, to }]) => [of, `${from}/${to}`]));
const plain = (coverage: ReadonlyMap<string, Spans>) =>
  Object.fromEntries([...coverage].map(([provider, spans]) => [provider, plainSpans(spans)]));

/** Covers rows of `PROVIDER DATE BASE/QUOTE`. */
const extend = (...rows: string[]) =>
  inTransaction(database, async (transaction) => {
    for (const [provider = '', date = '', base = '', quote = ''] of rows.map((row) => row.split(/[ /]/)))
      await store.extendCoverage(transaction, [{ provider, base, quote, from: date, to: date }]);
  });

const OF_ECB = ['ECB 2026-03-04 EUR/USD', 'ECB 2026-03-02 EUR/CAD', 'ECB 2026-03-03 EUR/USD'];
const ROWS = [...OF_ECB, 'BOC 2026-03-09 USD/CAD'];

it.each([
  ['in one transaction', [ROWS]],
  ['in several', ROWS.map((row) => [row])],
])('what is read covers both currencies of each row, stored %s', async (_, parts) => {
  for (const part of parts) await extend(...part);
  expect(plain(await store.readCoverage(database))).toEqual({
    ECB: { EUR: '2026-03-02/2026-03-04', USD: '2026-03-03/2026-03-04', CAD: '2026-03-02/2026-03-02' },
    BOC: { USD: '2026-03-09/2026-03-09', CAD: '2026-03-09/2026-03-09' },
  });
  expect(await rowsOf(database, 'select key, start_date, end_date from providers order by key')).toEqual([
    ['BOC', '2026-03-09', '2026-03-09'],
    ['ECB', '2026-03-02', '2026-03-04'],
  ]);
});

it('days that are covered already change no row', async () => {
  await extend(...ROWS);
  const tables = ['pair_coverage', 'providers', 'currencies'];
  const read = (table: string) => rowsOf(database, `select xmin::text, * from ${table} order by 2, 3`);
  const before = await Promise.all(tables.map(read));
  await extend('ECB 2026-03-03 EUR/USD');
  expect(await Promise.all(tables.map(read))).toEqual(before);
});

it('the newest day is that of any pair, and before all others where there is none', async () => {
  expect(await inTransaction(database, store.newestDayOfRates)).toBe('');
  await extend(...ROWS, 'ECB 2026-03-10 EUR/GBP');
  expect(await inTransaction(database, store.newestDayOfRates)).toBe('2026-03-10');
});

const [DAY, SPAN] = ['1990-01-02/1990-01-02', '2026-03-02/2026-03-10'];
const MORE = [...ROWS, 'BIS 1990-01-31 USD/GBP', 'HMRC 2026-04-01 GBP/EUR'];
const OF_MORE = { EUR: '2026-03-02/2026-03-04', USD: '2026-03-03/2026-03-09', GBP: undefined };
const OF_ANCHOR = ['10', '02', '05'].map((day) => `ECB 2026-03-${day} EUR/USD`);
const PAST_END = { ANG: '2025-06-02/2025-06-30', XAU: undefined };
const OF_THE_END = ['ECB 2025-06-02 EUR/USD', 'ECB 2025-07-10 EUR/USD'];

it.each<[what: string, rows: string[], spans: Record<string, string | undefined>]>([
  ['on which any provider published it that is blended', MORE, OF_MORE],
  ['of its anchor, where it is pegged', OF_ANCHOR, { EUR: SPAN, USD: SPAN, AED: SPAN }],
  ['after its peg began', ['ECB 1990-01-02 EUR/USD'], { BMD: DAY, AED: undefined }],
  ['before its peg ended', OF_THE_END, { ANG: '2025-06-02/2025-06-30' }],
  ['none after that', ['ECB 2025-07-01 EUR/USD'], { ANG: undefined }],
  ['none of a pair that goes on after its end', [...OF_THE_END, 'BCV 2026-01-05 XAU/ANG'], PAST_END],
  [
    'none of a pair that is left out',
    ['NBP 2026-03-02 CUP/PLN', 'NBP 2026-03-02 USD/PLN'],
    { CUP: undefined },
  ],
])('a currency has the days %s', async (_, rows, spans) => {
  for (const row of rows) await extend(row);
  const currencies = plainSpans(await store.readCurrencies(database));
  expect(Object.fromEntries(Object.keys(spans).map((code) => [code, currencies[code]]))).toEqual(spans);
});
