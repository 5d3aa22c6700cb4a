import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportRates } from '../../../core/database/bulk/export-rates.js';
import { readPairs } from '../../../core/database/bulk/read-pairs.js';
import { eachRate, type RawSelection } from '../../../core/database/bulk/read-rates.js';
import { storeBatches } from '../../../core/database/bulk/store-batches.js';
import { lockData } from '../../../core/database/locks.js';
import { hasRates, spanOfRates, upsertRates } from '../../../core/database/rates.js';
import { readRecordingInstant } from '../../../core/database/recording-instant.js';
import {
  inBulkTransaction,
  inOneView,
  inTransaction,
  type Transaction,
} from '../../../core/database/transactions.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate rates, rate_revisions');
});

const row = (date: string, base: string, quote: string, rate: number) => ({ date, base, quote, rate });
const stored = async () =>
  (
    await database.pool.query({
      text: 'select provider, date, base, quote, rate from rates order by 1, 2, 3, 4',
      rowMode: 'array',
    })
  ).rows;

type Run = <T>(database: TestDatabase, work: (transaction: Transaction) => Promise<T>) => Promise<T>;

describe.each<[string, Run]>([
  ['of Prisma', inTransaction],
  ['on a plain connection', inBulkTransaction],
])('in a transaction %s', (_kind, run) => {
  it('new rates are added, different ones replaced and remembered, equal ones left alone', async () => {
    const first = [row('2026-03-02', 'EUR', 'USD', 1.1), row('2026-03-03', 'EUR', 'USD', 1e-7)];
    expect(await run(database, (transaction) => upsertRates(transaction, 'ECB', first))).toEqual({
      rowsNew: 2,
      rowsCorrected: 0,
      changedDates: ['2026-03-02', '2026-03-03'],
    });
    const second = [
      row('2026-03-02', 'EUR', 'USD', 1.1),
      row('2026-03-03', 'EUR', 'USD', 1.2),
      row('1999-01-04', 'EUR', 'ITL', 1936.27),
    ];
    expect(await run(database, (transaction) => upsertRates(transaction, 'ECB', second))).toEqual({
      rowsNew: 1,
      rowsCorrected: 1,
      changedDates: ['1999-01-04', '2026-03-03'],
    });
    expect(await stored()).toEqual([
      ['ECB', '1999-01-04', 'EUR', 'ITL', 1936.27],
      ['ECB', '2026-03-02', 'EUR', 'USD', 1.1],
      ['ECB', '2026-03-03', 'EUR', 'USD', 1.2],
    ]);
    const { rows } = await database.pool.query('select date, rate from rate_revisions');
    expect(rows).toEqual([{ date: '2026-03-03', rate: 1e-7 }]);
  });

  it('nothing is stored of no rows', async () => {
    expect(await run(database, (transaction) => upsertRates(transaction, 'ECB', []))).toEqual({
      rowsNew: 0,
      rowsCorrected: 0,
      changedDates: [],
    });
  });

  it('a rate is known by its provider, its day and both of its currencies', async () => {
    const rows = [
      row('2026-03-02', 'EUR', 'USD', 1.1),
      row('2026-03-02', 'EUR', 'CAD', 1.1),
      row('2026-03-02', 'CAD', 'USD', 1.1),
      row('2026-03-03', 'EUR', 'USD', 1.1),
    ];
    const upsert = (provider: string) =>
      run(database, (transaction) => upsertRates(transaction, provider, rows));
    const changedDates = ['2026-03-02', '2026-03-03'];
    expect(await upsert('ECB')).toEqual({ rowsNew: 4, rowsCorrected: 0, changedDates });
    expect(await upsert('BOC')).toEqual({ rowsNew: 4, rowsCorrected: 0, changedDates });
    expect(await upsert('ECB')).toEqual({ rowsNew: 0, rowsCorrected: 0, changedDates: [] });
  });

  it('a rate names the run that recorded it, and what it replaced the run that recorded that', async () => {
    const upsert = (rate: number, id?: string) =>
      run(database, (transaction) =>
        upsertRates(
          transaction,
          'ECB',
          [row('2026-03-02', 'EUR', 'USD', rate)],
          id === undefined ? undefined : { id, reading: 1 },
        ),
      );
    await upsert(1.1, '7');
    await upsert(1.1, '8');
    await upsert(1.2, '9');
    await upsert(1.3);
    const runs = async (table: string) =>
      (await database.pool.query({ text: `select rate, run from ${table} order by rate`, rowMode: 'array' }))
        .rows;
    expect(await runs('rate_revisions')).toEqual([
      [1.1, 7],
      [1.2, 9],
    ]);
    expect(await runs('rates')).toEqual([[1.3, null]]);
  });

  it('a rate is replaced by its source where both runs read alike, and by the reading where not', async () => {
    await database.pool.query(
      `truncate ingest_runs; insert into providers (key) values ('ECB') on conflict do nothing`,
    );
    await database.pool.query(
      `insert into ingest_runs (id, provider, reason, window_from, started_at, reading)
       overriding system value values (7, 'ECB', 'schedule', '2026-03-02', now(), 2)`,
    );
    const [before, after] = [1.1, 1.2].map((rate) => [row('2026-03-02', 'EUR', 'USD', rate)]);
    const causes: unknown[] = [];
    for (const reading of [1, 2, 3]) {
      await database.pool.query('truncate rates, rate_revisions');
      for (const [rows, by] of [
        [before, 2],
        [after, reading],
      ] as const)
        await run(database, (transaction) =>
          upsertRates(transaction, 'ECB', rows ?? [], { id: '7', reading: by }),
        );
      causes.push((await database.pool.query('select cause::text from rate_revisions')).rows[0]?.cause);
    }
    expect(causes).toEqual(['reading', 'source', 'reading']);
  });

  it('rates of a window are read by pair, to the last digit', async () => {
    const rates = [1.1, 1 / 3, 123_456_789_012.5, 5e-9];
    const rows = rates.map((rate, index) =>
      row(fromDayNumber(dayNumber('1969-12-30') + index), 'EUR', 'USD', rate),
    );
    await run(database, (transaction) => upsertRates(transaction, 'ECB', rows));
    await run(database, (transaction) =>
      upsertRates(transaction, 'BOC', [row('2026-03-02', 'USD', 'CAD', 1.3)]),
    );
    // Not blended.
    await run(database, (transaction) =>
      upsertRates(transaction, 'BIS', [row('1969-12-31', 'USD', 'GBP', 0.4)]),
    );
    const pairs: string[][] = [];
    const found: [number, number][] = [];
    await run(database, (transaction) =>
      readPairs(transaction, { from: '1969-12-30', to: '1970-01-02' }, ({ provider, base, quote, each }) => {
        pairs.push([provider, base, quote]);
        each((day, rate) => found.push([day, rate]));
      }),
    );
    expect(pairs).toEqual([['ECB', 'EUR', 'USD']]);
    expect(found.sort(([one], [other]) => one - other)).toEqual(
      rates.map((rate, index) => [index - 2, rate]),
    );
  });

  it('the days on which providers published are found', async () => {
    const span = (providers: string[], upTo: string) =>
      run(database, (transaction) => spanOfRates(transaction, providers, upTo));
    expect(await run(database, hasRates)).toBe(false);
    expect(await span(['ECB'], '2026-03-31')).toBeUndefined();
    const rows = [row('2026-03-02', 'EUR', 'USD', 1.1), row('2026-03-09', 'EUR', 'USD', 1.1)];
    await run(database, (transaction) => upsertRates(transaction, 'ECB', rows));
    await run(database, (transaction) =>
      upsertRates(transaction, 'BOC', [row('2026-02-27', 'USD', 'CAD', 1.3)]),
    );
    expect(await run(database, hasRates)).toBe(true);
    expect(await span(['ECB', 'BOC'], '2026-03-31')).toEqual({ from: '2026-02-27', to: '2026-03-09' });
    expect(await span(['ECB'], '2026-03-09')).toEqual({ from: '2026-03-02', to: '2026-03-09' });
    expect(await span(['ECB'], '2026-03-08')).toEqual({ from: '2026-03-02', to: '2026-03-02' });
  });
});

describe('in bulk', () => {
  const batches = async function* (...rows: ReturnType<typeof row>[]) {
    for (const one of rows) yield [{ provider: 'ECB', ...one }];
  };
  const store = (...rows: ReturnType<typeof row>[]) =>
    inBulkTransaction(database, async (transaction) => {
      await lockData(transaction);
      const stored = await storeBatches(transaction, batches(...rows), () => {});
      return { ...stored, at: await readRecordingInstant(transaction) };
    });
  const table = async () => {
    const { rows } = await database.pool.query(`select reltuples,
      array(select pg_get_indexdef(indexrelid) || indisprimary from pg_index where indrelid = oid order by 1) as indexes
      from pg_class where oid = 'rates'::regclass`);
    return rows[0];
  };

  it('batches fill an empty table and are merged into a full one, the first of equals each time', async () => {
    const others = [
      row('2026-03-01', 'EUR', 'USD', 1.1),
      row('2026-03-02', 'EUR', 'CAD', 1.5),
      row('2026-03-02', 'GBP', 'USD', 1.3),
    ];
    const before = await table();
    const { at, ...filled } = await store(
      row('2026-03-02', 'EUR', 'USD', 1.1),
      ...others,
      row('2026-03-02', 'EUR', 'USD', 9),
    );
    expect(await table()).toEqual({ ...before, reltuples: 4 });
    const instants = await database.pool.query('select distinct recorded_at from rates');
    expect(instants.rows).toEqual([{ recorded_at: new Date(at) }]);
    expect(filled).toEqual({ rowsNew: 4, rowsCorrected: 0, changedDates: ['2026-03-01', '2026-03-02'] });
    const merged = await store(
      row('2026-03-02', 'EUR', 'USD', 1.2),
      row('2026-03-03', 'EUR', 'USD', 1.3),
      row('2026-03-03', 'EUR', 'USD', 9),
    );
    expect(merged).toMatchObject({
      rowsNew: 1,
      rowsCorrected: 1,
      changedDates: ['2026-03-02', '2026-03-03'],
    });
    expect(await stored()).toEqual([
      ['ECB', '2026-03-01', 'EUR', 'USD', 1.1],
      ['ECB', '2026-03-02', 'EUR', 'CAD', 1.5],
      ['ECB', '2026-03-02', 'EUR', 'USD', 1.2],
      ['ECB', '2026-03-02', 'GBP', 'USD', 1.3],
      ['ECB', '2026-03-03', 'EUR', 'USD', 1.3],
    ]);
  });

  it('rates are read by day, provider and currency', async () => {
    await store(
      row('2026-03-02', 'EUR', 'USD', 1.1),
      row('2026-03-03', 'EUR', 'JPY', 170),
      row('2026-03-04', 'GBP', 'CHF', 1.1),
    );
    const read = async (selection: RawSelection) => {
      const dates: string[] = [];
      await inOneView(database, (view) => eachRate(view, selection, (day) => dates.push(fromDayNumber(day))));
      return dates.sort();
    };
    expect(await read({})).toEqual(['2026-03-02', '2026-03-03', '2026-03-04']);
    expect(await read({ from: dayNumber('2026-03-03'), to: dayNumber('2026-03-03') })).toEqual([
      '2026-03-03',
    ]);
    expect(await read({ providers: ['BOC'] })).toEqual([]);
    expect(await read({ providers: ['ECB'], currencies: ['JPY'] })).toEqual(['2026-03-02', '2026-03-03']);
    await expect(read({ currencies: ["X'"] })).rejects.toThrow(RangeError);
  });

  it('of the days before one the newest rate of each pair is read that is not left out, and all rates from then on', async () => {
    await store(
      row('2026-03-02', 'EUR', 'USD', 1.1),
      row('2026-03-03', 'EUR', 'USD', 1.2),
      row('2026-03-04', 'EUR', 'USD', 12),
      row('2026-03-01', 'EUR', 'JPY', 170),
      row('2026-03-02', 'EUR', 'JPY', 171),
      row('2026-03-05', 'EUR', 'JPY', 172),
      row('2026-03-06', 'EUR', 'JPY', 173),
    );
    await database.pool.query(
      `truncate suspects cascade; insert into providers (key) values ('ECB') on conflict do nothing;
       insert into suspects (provider, date, base, quote, rate, reason, expected, others, status)
       values ('ECB', '2026-03-04', 'EUR', 'USD', 12, 'jump', 1, 1, 'held'),
         ('ECB', '2026-03-02', 'EUR', 'JPY', 171, 'jump', 1, 1, 'accepted')`,
    );
    const read = async (selection: RawSelection) => {
      const rates: number[] = [];
      await inOneView(database, (view) => eachRate(view, selection, (_day, rate) => rates.push(rate)));
      return rates.sort((one, other) => one - other);
    };
    const newestBefore = dayNumber('2026-03-05');
    expect(await read({ newestBefore })).toEqual([1.2, 171, 172, 173]);
    expect(await read({ newestBefore, to: dayNumber('2026-03-05') })).toEqual([1.2, 171, 172]);
    expect(await read({ newestBefore, from: dayNumber('2026-03-03') })).toEqual([1.2, 172, 173]);
  });

  it('all rates of one provider are read, and of several those that may be blended', async () => {
    await database.pool.query(`insert into rates (provider, date, base, quote, rate) values
      ('ECB', '2026-03-02', 'EUR', 'USD', 1.1), ('BIS', '2026-03-02', 'USD', 'GBP', 0.4)`);
    const keys = async (providers?: string[]) => {
      const read: string[] = [];
      await inOneView(database, (view) =>
        eachRate(view, providers ? { providers } : {}, (_day, _rate, provider) => read.push(provider)),
      );
      return read;
    };
    expect([await keys(['BIS']), await keys(['BIS', 'ECB']), await keys()]).toEqual([
      ['BIS'],
      ['ECB'],
      ['ECB'],
    ]);
  });

  it('rates are read as they were known, with when and by which run they were recorded', async () => {
    await database.pool.query(`insert into rates (provider, date, base, quote, rate, recorded_at, run) values
      ('ECB', '2026-03-02', 'EUR', 'USD', 1.1, '1999-03-02T16:00:00.123Z', 7),
      ('ECB', '2026-03-03', 'EUR', 'USD', 1.2, '2026-03-03T16:00:00Z', null)`);
    const read = async (selection: RawSelection) => {
      const found: unknown[] = [];
      await inOneView(database, (view) =>
        eachRate(view, selection, (_day, rate, _provider, _base, _quote, record) =>
          found.push([rate, record]),
        ),
      );
      return found.sort();
    };
    const [first, second] = [Date.UTC(1999, 2, 2, 16, 0, 0, 123), Date.UTC(2026, 2, 3, 16)];
    const isRecordWanted = true;
    expect(await read({ isRecordWanted })).toEqual([
      [1.1, { at: first, run: 7 }],
      [1.2, { at: second, run: 0 }],
    ]);
    expect(await read({ knownAt: first })).toEqual([[1.1, undefined]]);
    expect(await read({ knownAt: first - 1, isRecordWanted })).toEqual([]);
  });

  it('thousands of rates are read with pauses, and exported as they are', async () => {
    await database.pool.query(`insert into rates (provider, date, base, quote, rate)
      select 'ECB', date '2000-01-01' + n, 'EUR', 'USD', 1 + n / 7::float8 from generate_series(1, 5000) n`);
    const read = new Set<number>();
    const lengths: number[] = [];
    await inOneView(database, (view) =>
      eachRate(
        view,
        {},
        (_day, rate) => read.add(rate),
        async () => {
          lengths.push(read.size);
        },
      ),
    );
    const rates = Array.from({ length: 5_000 }, (_, n) => 1 + (n + 1) / 7);
    expect([...read]).toEqual(rates);
    const steps = lengths.map((length, index) => length - (lengths[index - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThan(1_000);
    const output = new PassThrough();
    const [csv] = await Promise.all([text(output), exportRates(database, output)]);
    const [header, ...lines] = csv.trim().split('\n');
    expect(header).toBe('provider,date,base,quote,rate');
    expect(lines.map((line) => Number(line.split(',').at(-1)))).toEqual(rates);
  });
});
