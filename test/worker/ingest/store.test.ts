import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../core/database/transactions.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { affectedWindows } from '../../../worker/blend/recompute.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { storeAndBlend, storeRates } from '../../../worker/ingest/store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, readRows } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const store = (provider: string, ...rows: RateRow[]) =>
  inTransaction(database, (transaction) => storeAndBlend(transaction, provider, rows));
const row = (date: string, base: string, quote: string, rate: number): RateRow => ({
  date,
  base,
  quote,
  rate,
});
const read = (query: string) => readRows(database, query);
const blended = (quote: string, table = 'blended_days') =>
  read(`select date, rate from ${table} where quote = '${quote}' order by date`);
const all = async () => ({
  rates: await read('select *, xmin::text from rates order by 1, 2, 3, 4'),
  revisions: await read('select * from rate_revisions'),
  days: await read('select *, xmin::text from blended_days order by 1, 2'),
  weeks: await read('select *, xmin::text from blended_weeks order by 1, 2'),
  months: await read('select *, xmin::text from blended_months order by 1, 2'),
  currencies: await read('select *, xmin::text from currencies order by 1'),
  coverage: await read('select *, xmin::text from pair_coverage order by 1, 2, 3'),
  providers: await read('select *, xmin::text from providers order by 1'),
  versions: await read('select * from data_versions'),
});

describe('storing rates', () => {
  it('blends them in the same step, with their week, their month, the dollar and the pegs', async () => {
    const stored = await store(
      'ECB',
      row('2026-02-26', 'EUR', 'USD', 1.25),
      row('2026-03-02', 'EUR', 'USD', 1.28),
    );
    expect(stored).toMatchObject({ rowsNew: 2, rowsCorrected: 0, rowsUnchanged: 0 });
    expect(await blended('EUR')).toEqual([
      ['2026-02-26', 0.8],
      ['2026-03-02', 0.78125],
    ]);
    expect(await blended('USD')).toEqual([
      ['2026-02-26', 1],
      ['2026-03-02', 1],
    ]);
    expect(await blended('AED')).toEqual([
      ['2026-02-26', 3.6725],
      ['2026-03-02', 3.6725],
    ]);
    expect(await blended('EUR', 'blended_weeks')).toEqual([
      ['2026-02-23', 0.8],
      ['2026-03-02', 0.78125],
    ]);
    expect(await read(`select version, changed_from, changed_to, provider from data_versions`)).toEqual([
      [String(stored.version), '2026-02-26', '2026-03-02', 'ECB'],
    ]);
  });

  it('averages the blended days of ISO weeks and months', async () => {
    await store(
      'BOC',
      ...['2026-03-27', '2026-03-30', '2026-03-31', '2026-04-05'].map((date, index) =>
        row(date, 'USD', 'CAD', index + 1),
      ),
    );
    // The week of 30 March holds three observations, one of them in April.
    expect(await blended('CAD', 'blended_weeks')).toEqual([
      ['2026-03-23', 1],
      ['2026-03-30', 3],
    ]);
    expect(await blended('CAD', 'blended_months')).toEqual([
      ['2026-03-01', 2],
      ['2026-04-01', 4],
    ]);
  });

  it('changes nothing where everything is known', async () => {
    const rows = [row('2026-03-02', 'EUR', 'USD', 1.0845), row('2026-03-02', 'EUR', 'JPY', 161.32)];
    await store('ECB', ...rows);
    const before = await all();
    expect(await store('ECB', ...rows)).toMatchObject({
      rowsUnchanged: 2,
      changedDates: [],
      version: undefined,
    });
    expect(await store('ECB')).toMatchObject({ version: undefined });
    expect(await all()).toEqual(before);
  });

  it('compares and keeps rates at twelve digits, and takes the first of two rows with one key', async () => {
    await store('ECB', row('2026-03-02', 'EUR', 'USD', 1.08451234567891), row('2026-03-02', 'EUR', 'USD', 2));
    expect(await read('select rate from rates')).toEqual([[1.08451234568]]);
    expect(await store('ECB', row('2026-03-02', 'EUR', 'USD', 1.084512345681))).toMatchObject({
      rowsUnchanged: 1,
    });
  });

  it('counts what is new, corrected and known', async () => {
    const [one, two, three] = ['01', '02', '03'].map((day) => row(`2026-03-${day}`, 'EUR', 'USD', 1.1)) as [
      RateRow,
      RateRow,
      RateRow,
    ];
    await store('ECB', one, two);
    expect(await store('ECB', one, { ...two, rate: 1.2 }, three)).toMatchObject({
      rowsNew: 1,
      rowsCorrected: 1,
      rowsUnchanged: 1,
      changedDates: ['2026-03-02', '2026-03-03'],
    });
  });

  it('tells rows with the same day apart by both currencies', async () => {
    const rows = ['USD/CAD', 'USD/CHF', 'EUR/CAD'].map((pair) =>
      row('2026-03-02', pair.slice(0, 3), pair.slice(4), 1.3),
    );
    expect(await store('ECB', ...rows)).toMatchObject({ rowsNew: 3 });
  });

  it('takes more rows than are stored at a time, with their coverage and their days in order', async () => {
    const first = dayNumber('1900-01-01');
    const days = Array.from({ length: 50_001 }, (_, index) => fromDayNumber(first + 50_000 - index));
    const rows = days.map((date) => row(date, 'EUR', 'USD', 1.1));
    const stored = await inTransaction(database, (transaction) => storeRates(transaction, 'ECB', rows));
    expect(stored).toMatchObject({ rowsNew: 50_001, rowsCorrected: 0, rowsUnchanged: 0 });
    expect(stored.changedDates).toEqual(days.toReversed());
    const span = [['ECB', days.at(-1), days[0]]];
    expect(await read('select key, start_date, end_date from providers')).toEqual(span);
  });

  it('keeps what is corrected, and blends what it touched again', async () => {
    await store('BOC', row('2026-03-02', 'USD', 'CAD', 1.3));
    await store('NB', row('2026-03-05', 'USD', 'NOK', 10));
    const before = await read('select recorded_at from rates order by provider limit 1');
    const corrected = await store('BOC', row('2026-03-02', 'USD', 'CAD', 1.4));
    expect(corrected).toMatchObject({ rowsNew: 0, rowsCorrected: 1, changedDates: ['2026-03-02'] });
    expect(await read('select provider, date, base, quote, rate from rate_revisions')).toEqual([
      ['BOC', '2026-03-02', 'USD', 'CAD', 1.3],
    ]);
    const times = await read('select recorded_at, replaced_at from rate_revisions');
    expect(times[0]?.[0]).toEqual(before[0]?.[0]);
    expect(await read(`select recorded_at from rates where provider = 'BOC'`)).toEqual([[times[0]?.[1]]]);
    expect(await blended('CAD')).toEqual([['2026-03-02', 1.4]]);
    expect(await blended('CAD', 'blended_months')).toEqual([['2026-03-01', 1.4]]);
  });

  it('removes blends that a correction takes away', async () => {
    for (const [index, provider] of ['BOC', 'NB', 'BOJ', 'RBA'].entries()) {
      await store(provider, row(index === 0 ? '2026-03-03' : '2026-03-02', 'USD', 'CAD', 1.3));
    }
    expect((await blended('CAD')).map(([date]) => date)).toEqual(['2026-03-02', '2026-03-03']);
    await store('BOC', row('2026-03-03', 'USD', 'CAD', 99));
    expect((await blended('CAD')).map(([date]) => date)).toEqual(['2026-03-02']);
  });

  it('makes a version of rows that no blend shows', async () => {
    await store('HKMA', row('2026-03-02', 'USD', 'AED', 3.7));
    const days = await blended('AED');
    const stored = await store('HKMA', row('2026-03-02', 'USD', 'AED', 3.8));
    expect(stored.version).toBeDefined();
    expect(await blended('AED')).toEqual(days);
  });

  it('reaches the same as rebuilding everything, in whatever order rows come', async () => {
    const rows = [1, 5, 14, 15, 16, 29, 30].map((day, index) =>
      row(`2026-03-${String(day).padStart(2, '0')}`, 'EUR', 'USD', 1 + index / 70),
    );
    for (const one of rows.toReversed()) await store('ECB', one);
    await store('NB', row('2026-03-10', 'EUR', 'NOK', 11), row('2026-03-12', 'USD', 'EUR', 0.9));
    await store('BOC', row('2026-03-12', 'EUR', 'NOK', 12), row('2026-03-12', 'NOK', 'USD', 0.095));
    const before = await all();
    expect(await rebuild(database)).toBeUndefined();
    expect(await all()).toEqual(before);
    await database.pool.query(`delete from blended_days where date = '2026-03-16'`);
    await database.pool.query(`insert into blended_days values ('2026-01-01', 'CHF', 1)`);
    expect(await rebuild(database)).toBeDefined();
    const { days } = await all();
    expect(days.map((day) => day.slice(0, 3))).toEqual(before.days.map((day) => day.slice(0, 3)));
    expect(
      await read(
        `select changed_from, changed_to, provider from data_versions order by version desc limit 1`,
      ),
    ).toEqual([['2026-01-01', '2026-03-16', null]]);
  });

  it('leaves nothing behind where the transaction fails', async () => {
    const failed = inTransaction(database, async (transaction) => {
      await storeAndBlend(transaction, 'ECB', [row('2026-03-02', 'EUR', 'USD', 1.1)]);
      throw new Error('afterwards');
    });
    await expect(failed).rejects.toThrow('afterwards');
    expect([await read('select from rates'), await read('select from blended_days')]).toEqual([[], []]);
  });

  it('sees the rows of every writer, also of those at the same time', async () => {
    const providers = ['BOC', 'ECB', 'NB', 'BOJ', 'RBA', 'CBR'];
    await Promise.all(
      providers.map((provider, index) => store(provider, row('2026-03-02', 'USD', 'CAD', 1.3 + index / 100))),
    );
    expect((await blended('CAD'))[0]?.[1]).toBeCloseTo(1.325, 12);
    expect(await rebuild(database)).toBeUndefined();
  });
});

describe('what is covered', () => {
  it('widens by provider, by pair and by currency', async () => {
    await store('ECB', row('2026-03-02', 'EUR', 'USD', 1.1), row('2026-03-03', 'EUR', 'JPY', 160));
    await store('ECB', row('2026-02-27', 'EUR', 'USD', 1.1));
    await store('NB', row('2026-03-04', 'EUR', 'NOK', 11));
    expect(
      await read('select provider, base, quote, start_date, end_date from pair_coverage order by 1, 2, 3'),
    ).toEqual([
      ['ECB', 'EUR', 'JPY', '2026-03-03', '2026-03-03'],
      ['ECB', 'EUR', 'USD', '2026-02-27', '2026-03-02'],
      ['NB', 'EUR', 'NOK', '2026-03-04', '2026-03-04'],
    ]);
    expect(await read('select key, start_date, end_date from providers order by 1')).toEqual([
      ['ECB', '2026-02-27', '2026-03-03'],
      ['NB', '2026-03-04', '2026-03-04'],
    ]);
    expect(await read(`select start_date, end_date from currencies where code = 'EUR'`)).toEqual([
      ['2026-02-27', '2026-03-04'],
    ]);
  });

  it('lets a pegged currency live from the later of the peg and its anchor, or from when it was published', async () => {
    const span = async (code: string) =>
      (await read(`select start_date, end_date from currencies where code = '${code}'`))[0];
    await store('FRED', row('1990-01-02', 'GBP', 'USD', 1.6), row('2026-03-02', 'GBP', 'USD', 1.3));
    expect(await span('AED')).toEqual(['1997-11-02', '2026-03-02']);
    expect(await span('BMD')).toEqual(['1990-01-02', '2026-03-02']);
    expect(await span('FKP')).toEqual(['1990-01-02', '2026-03-02']);
    expect(await span('XOF')).toBeUndefined();
    await store('IMF', row('1994-01-03', 'USD', 'AED', 3.671));
    expect(await span('AED')).toEqual(['1994-01-03', '2026-03-02']);
  });
});

describe('affected windows', () => {
  it('are each date and the 14 days after it, joined where their raw rows overlap', () => {
    expect(affectedWindows(['2026-01-01'])).toEqual([{ from: '2026-01-01', to: '2026-01-15' }]);
    expect(affectedWindows(['2026-01-01', '2026-01-29'])).toEqual([{ from: '2026-01-01', to: '2026-02-12' }]);
    expect(affectedWindows(['2026-01-01', '2026-01-30'])).toHaveLength(2);
    expect(affectedWindows([])).toEqual([]);
  });
});
