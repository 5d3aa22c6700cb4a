import { describe, expect, it } from 'vitest';
import { storeRates } from '../../../core/database/store-rates.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { affectedWindows } from '../../../worker/blend/recompute.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { dollars, ownDatabase, ratesOf, readLines, readRows, storeIn } from './support.js';

const database = await ownDatabase();

const store = (provider: string, ...rows: RateRow[]) => storeIn(database, provider, ...rows);
const read = (query: string) => readRows(database, query);
const lines = (query: string) => readLines(database, query);
/** The blended rates of a currency by date. */
const blended = async (quote: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    await read(`select date, rate from blended_days where quote = '${quote}' order by date`),
  );
const [cad, krone] = [ratesOf('USD/CAD'), ratesOf('USD/NOK')];

const TABLES = ['blended_days', 'rates', 'currencies', 'pair_coverage', 'providers'];
/** All that is stored, and which transaction wrote it. */
const all = () =>
  Promise.all([
    ...TABLES.map((table) =>
      read(`select row_data::text, row_data.xmin::text from ${table} as row_data order by 1`),
    ),
    read('select * from rate_revisions'),
    read('select * from data_versions'),
  ]);

describe('storing rates', () => {
  it('blends them in the same step, with the dollar and the pegs', async () => {
    const stored = await store('ECB', dollars('2026-02-26', 1.25), dollars('2026-03-02', 1.28));
    expect(stored).toMatchObject({ rowsNew: 2, rowsCorrected: 0, rowsUnchanged: 0 });
    const days = await Promise.all(['EUR', 'USD', 'AED'].map((quote) => blended(quote)));
    const two = (one: number, other: number) => ({ '2026-02-26': one, '2026-03-02': other });
    expect(days).toEqual([two(0.8, 0.78125), two(1, 1), two(3.6725, 3.6725)]);
    const versions = await lines('select version, changed_from, changed_to, provider from data_versions');
    expect(versions).toEqual([`${stored.version} 2026-02-26 2026-03-02 ECB`]);
  });

  it('changes nothing where everything is known', async () => {
    const rows = [dollars('2026-03-02', 1.0845), ratesOf('EUR/JPY')('2026-03-02', 161.32)];
    await store('ECB', ...rows);
    const before = await all();
    const nothing = { rowsUnchanged: 2, changedDates: [], version: undefined };
    expect(await store('ECB', ...rows)).toMatchObject(nothing);
    expect(await store('ECB')).toMatchObject({ version: undefined });
    expect(await all()).toEqual(before);
  });

  it('compares and keeps rates at twelve digits, and takes the first of two rows with one key', async () => {
    await store('ECB', dollars('2026-03-02', 1.08451234567891), dollars('2026-03-02', 2));
    expect(await read('select rate from rates')).toEqual([[1.08451234568]]);
    const again = await store('ECB', dollars('2026-03-02', 1.084512345681));
    expect(again).toMatchObject({ rowsUnchanged: 1 });
  });

  it('distinguishes rows with the same day by both currencies', async () => {
    const rows = ['USD/CAD', 'USD/CHF', 'EUR/CAD'].map((pair) => ratesOf(pair)('2026-03-02', 1.3));
    expect(await store('ECB', ...rows)).toMatchObject({ rowsNew: 3 });
  });

  it('takes many rows in several batches, with their coverage and their days in order', async () => {
    const first = dayNumber('1900-01-01');
    const days = Array.from({ length: 50_001 }, (_, index) => fromDayNumber(first + 50_000 - index));
    const rows = days.map((date) => ({ provider: 'ECB', ...dollars(date) }));
    const stored = await inTransaction(database, (transaction) =>
      storeRates(transaction, [rows.slice(0, 9), rows.slice(9)]),
    );
    expect(stored).toMatchObject({ rowsNew: 50_001, rowsCorrected: 0, rowsUnchanged: 0 });
    expect(stored.changedDates).toEqual(days.toReversed());
    const span = await lines('select key, start_date, end_date from providers');
    expect(span).toEqual([`ECB ${days.at(-1)} ${days[0]}`]);
  });

  it('makes a version of rows that no blend shows', async () => {
    const dirham = ratesOf('USD/AED');
    await store('HKMA', dirham('2026-03-02', 3.7));
    const days = await blended('AED');
    expect((await store('HKMA', dirham('2026-03-02', 3.8))).version).toBeDefined();
    expect(await blended('AED')).toEqual(days);
  });

  it('can be put right by rebuilding everything, which makes a version of the days that change', async () => {
    await store('ECB', dollars('2026-03-16'));
    expect(await rebuild(database)).toBeUndefined();
    const days = await read('select * from blended_days order by 1, 2');
    await database.pool.query(`delete from blended_days where date = '2026-03-16'`);
    await database.pool.query(`insert into blended_days values ('2026-01-01', 'CHF', 1)`);
    expect(await rebuild(database)).toBeDefined();
    expect(await read('select * from blended_days order by 1, 2')).toEqual(days);
    const newest =
      'select changed_from, changed_to, provider from data_versions order by version desc limit 1';
    expect(await lines(newest)).toEqual(['2026-01-01 2026-03-16 null']);
  });

  it('sees the rows of every writer, also of those at the same time', async () => {
    const providers = ['BOC', 'ECB', 'NB', 'BOJ', 'RBA', 'CBR'];
    const storing = providers.map((provider, index) => store(provider, cad('2026-03-02', 1.3 + index / 100)));
    await Promise.all(storing);
    expect((await blended('CAD'))['2026-03-02']).toBeCloseTo(1.325, 12);
    expect(await rebuild(database)).toBeUndefined();
  });
});

describe('a correction', () => {
  it.each([
    ['downward', 1.4, 1.3],
    ['upward', 1.3, 1.4],
    ['in the last digit', 1.3, 1.299_999_999_99],
  ])('%s leaves a revision, and what it touches is blended again', async (_how, before, after) => {
    await store('BOC', krone('2026-03-01', 10), cad('2026-03-02', before));
    const rows = [krone('2026-03-01', 10), cad('2026-03-02', after), krone('2026-03-03', 10)];
    expect(await store('BOC', ...rows)).toMatchObject({
      rowsNew: 1,
      rowsCorrected: 1,
      rowsUnchanged: 1,
      changedDates: ['2026-03-02', '2026-03-03'],
    });
    const revisions = await lines('select provider, date, base, quote, rate from rate_revisions');
    expect(revisions).toEqual([`BOC 2026-03-02 USD CAD ${before}`]);
    expect(await blended('CAD')).toEqual({ '2026-03-02': after });
  });

  it('removes the blends that it takes away', async () => {
    const days = ['2026-03-03', '2026-03-02', '2026-03-02', '2026-03-02'];
    for (const [index, provider] of ['BOC', 'NB', 'BOJ', 'RBA'].entries())
      await store(provider, cad(days[index] ?? '', 1.3));
    expect(Object.keys(await blended('CAD'))).toEqual(['2026-03-02', '2026-03-03']);
    await store('BOC', cad('2026-03-03', 99));
    expect(Object.keys(await blended('CAD'))).toEqual(['2026-03-02']);
  });

  it('reaches as far as the row is carried: fourteen days, of other providers too', async () => {
    const blendedOn = async (day: string) => (await blended('CAD'))[day];
    const age = Math.exp(-0.5 * (14 - 3));
    await store('BOC', cad('2026-03-02', 1.3));
    await store('NB', cad('2026-03-16', 1.5));
    expect(await blendedOn('2026-03-16')).toBeCloseTo((1.5 + 1.3 * age) / (1 + age), 12);
    await store('BOC', cad('2026-03-02', 1.4));
    expect(await blendedOn('2026-03-16')).toBeCloseTo((1.5 + 1.4 * age) / (1 + age), 12);
    expect(await rebuild(database)).toBeUndefined();
    await store('RBA', cad('2026-03-17', 1.5));
    expect(await blendedOn('2026-03-17')).toBeCloseTo(1.5, 12);
  });
});

it('a pegged currency lives from when it was published before its peg', async () => {
  await store('FRED', ratesOf('GBP/USD')('2026-03-02', 1.3));
  await store('IMF', ratesOf('USD/AED')('1994-01-03', 3.671));
  const dirham = `select start_date, end_date from currencies where code = 'AED'`;
  expect(await lines(dirham)).toEqual(['1994-01-03 2026-03-02']);
});

it('the affected windows are each date and the 14 days after it, joined where their raw rows overlap', () => {
  expect(affectedWindows(['2026-01-01'])).toEqual([{ from: '2026-01-01', to: '2026-01-15' }]);
  expect(affectedWindows(['2026-01-01', '2026-01-29'])).toEqual([{ from: '2026-01-01', to: '2026-02-12' }]);
  expect(affectedWindows(['2026-01-01', '2026-01-30'])).toHaveLength(2);
  expect(affectedWindows([])).toEqual([]);
});
