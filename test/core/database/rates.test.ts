import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { exportRates, type RawSelection, readPairs } from '../../../core/database/bulk/read-rates.js';
import { lockData } from '../../../core/database/locks.js';
import { hasRates, spanOfRates } from '../../../core/database/rates.js';
import { storeRates } from '../../../core/database/store-rates.js';
import {
  inBulkTransaction,
  inOneView,
  inTransaction,
  type Transaction,
} from '../../../core/database/transactions.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import type { TestDatabase } from '../../support/postgres.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('rates', 'rate_revisions', 'ingest_runs', 'suspects');
await database.pool.query(`insert into providers (key) values ('ECB')`);

/** A row of a provider and `DATE BASE/QUOTE RATE`. */
const rowOf = (provider: string) => (given: string) => {
  const [date = '', pair = '', rate] = given.split(' ');
  return { provider, date, base: pair.slice(0, 3), quote: pair.slice(4), rate: Number(rate) };
};
const stored = async () =>
  (await rowsOf(database, 'select provider, date, base, quote, rate from rates order by 1, 2, 3, 4')).map(
    ([provider, date, base, quote, rate]) => `${provider} ${date} ${base}/${quote} ${rate}`,
  );
const changes = (
  rowsNew: number,
  rowsCorrected: number,
  rowsUnchanged: number,
  ...changedDates: string[]
) => ({
  ...{ rowsNew, rowsCorrected, rowsUnchanged, changedDates },
});

type Run = <T>(database: TestDatabase, work: (transaction: Transaction) => Promise<T>) => Promise<T>;

describe.each<[string, Run]>([
  ['of Prisma', inTransaction],
  ['on a plain connection', inBulkTransaction],
])('in a transaction %s', (_kind, run) => {
  const upsert = (provider: string, rows: string[], recorder?: { id: string; reading: number }) =>
    run(database, (transaction) => storeRates(transaction, [rows.map(rowOf(provider))], recorder));

  it('new rates are added, different ones replaced and remembered, equal ones left alone', async () => {
    const first = ['2026-03-02 EUR/USD 1.1', '2026-03-03 EUR/USD 1e-7'];
    expect(await upsert('ECB', first)).toEqual(changes(2, 0, 0, '2026-03-02', '2026-03-03'));
    const second = ['2026-03-02 EUR/USD 1.1', '2026-03-03 EUR/USD 1.2', '1999-01-04 EUR/ITL 1936.27'];
    expect(await upsert('ECB', second)).toEqual(changes(1, 1, 1, '1999-01-04', '2026-03-03'));
    expect(await stored()).toEqual([second[2], second[0], second[1]].map((one) => `ECB ${one}`));
    expect(await rowsOf(database, 'select date, rate from rate_revisions')).toEqual([['2026-03-03', 1e-7]]);
    expect(await upsert('ECB', [])).toEqual(changes(0, 0, 0));
  });

  it('a rate is known by its provider, its day and both of its currencies', async () => {
    const rows = ['2026-03-02 EUR/USD 1.1', '2026-03-02 EUR/CAD 1.1', '2026-03-02 CAD/USD 1.1'];
    rows.push('2026-03-03 EUR/USD 1.1');
    for (const provider of ['ECB', 'BOC'])
      expect(await upsert(provider, rows)).toEqual(changes(4, 0, 0, '2026-03-02', '2026-03-03'));
    expect(await upsert('ECB', rows)).toEqual(changes(0, 0, 4));
  });

  it('a rate names the run that recorded it, and what it replaced the run that recorded that', async () => {
    const record = (rate: number, id?: string) =>
      upsert('ECB', [`2026-03-02 EUR/USD ${rate}`], id === undefined ? undefined : { id, reading: 1 });
    await record(1.1, '7');
    await record(1.1, '8');
    await record(1.2, '9');
    await record(1.3);
    const revisions = await rowsOf(database, 'select rate, run from rate_revisions order by rate');
    expect(revisions.join(' ')).toBe('1.1,7 1.2,9');
    expect(await rowsOf(database, 'select rate, run from rates')).toEqual([[1.3, null]]);
  });

  it('a rate with another side is a correction, whose revision keeps all three figures', async () => {
    const at = { provider: 'NRB', date: '2026-03-02', base: 'USD', quote: 'NPR', rate: 144 };
    const steps = [{ buy: 143.7 }, { buy: 143.7, sell: 144.3 }, { buy: 143.6, sell: 144.3 }, {}, {}];
    const corrected: number[] = [];
    for (const sides of [{}, ...steps]) {
      const { rowsCorrected } = await run(database, (transaction) =>
        storeRates(transaction, [
          [
            { ...at, ...sides },
            { ...at, quote: 'INR', buy: 1.6 },
          ],
        ]),
      );
      corrected.push(rowsCorrected);
    }
    expect(corrected).toEqual([0, 1, 1, 1, 1, 0]);
    expect(await rowsOf(database, 'select rate, buy, sell from rate_revisions order by id')).toEqual([
      [144, null, null],
      [144, 143.7, null],
      [144, 143.7, 144.3],
      [144, 143.6, 144.3],
    ]);
    expect(await rowsOf(database, 'select quote, buy, sell from rates order by quote')).toEqual([
      ['INR', 1.6, null],
      ['NPR', null, null],
    ]);
  });

  it.each([
    [1, 'reading'],
    [2, 'source'],
    [3, 'reading'],
  ])('a rate of reading 2 is replaced, by reading %i, for its %s', async (reading, cause) => {
    await database.pool.query(
      `insert into ingest_runs (id, provider, reason, window_from, started_at, reading)
       overriding system value values (7, 'ECB', 'schedule', '2026-03-02', now(), 2)`,
    );
    await upsert('ECB', ['2026-03-02 EUR/USD 1.1'], { id: '7', reading: 2 });
    await upsert('ECB', ['2026-03-02 EUR/USD 1.2'], { id: '7', reading });
    expect(await rowsOf(database, 'select cause::text from rate_revisions')).toEqual([[cause]]);
  });

  it('rates of a window are read by pair, to the last digit, of providers that are blended', async () => {
    const rates = [1.1, 1 / 3, 123_456_789_012.5, 5.25e-9];
    const days = ['1969-12-30', '1969-12-31', '1970-01-01', '1970-01-02'];
    await database.pool.query(
      `insert into rates (provider, date, base, quote, rate)
       select 'ECB', date, 'EUR', 'USD', rate from unnest($1::date[], $2::float8[]) as given (date, rate)`,
      [days, rates],
    );
    await upsert('BOC', ['2026-03-02 USD/CAD 1.3']);
    await upsert('BIS', ['1969-12-31 USD/GBP 0.4']);
    const pairs: string[][] = [];
    const found: [number, number][] = [];
    await run(database, (transaction) =>
      readPairs(transaction, { from: -2, to: 1 }, ({ provider, base, quote, each }) => {
        pairs.push([provider, base, quote]);
        each((day, rate) => found.push([day, rate]));
      }),
    );
    expect(pairs).toEqual([['ECB', 'EUR', 'USD']]);
    found.sort(([one], [other]) => one - other);
    expect(found).toEqual(rates.map((rate, index) => [index - 2, rate]));
  });

  it('the days on which providers published are found', async () => {
    const span = (providers: string[], upTo: string) =>
      run(database, (transaction) => spanOfRates(transaction, providers, upTo));
    expect(await run(database, hasRates)).toBe(false);
    expect(await span(['ECB'], '2026-03-31')).toBeUndefined();
    await upsert('ECB', ['2026-03-02 EUR/USD 1.1', '2026-03-09 EUR/USD 1.1']);
    await upsert('BOC', ['2026-02-27 USD/CAD 1.3']);
    expect(await run(database, hasRates)).toBe(true);
    expect(await span(['ECB', 'BOC'], '2026-03-31')).toEqual({ from: '2026-02-27', to: '2026-03-09' });
    expect(await span(['ECB'], '2026-03-09')).toEqual({ from: '2026-03-02', to: '2026-03-09' });
    expect(await span(['ECB'], '2026-03-08')).toEqual({ from: '2026-03-02', to: '2026-03-02' });
  });
});

it('batches fill an empty table and are merged into a full one, the first of equals each time', async () => {
  const store = (...rows: string[]) =>
    inBulkTransaction(database, async (transaction) => {
      await lockData(transaction);
      const batches = async function* () {
        for (const one of rows) yield [rowOf('ECB')(one)];
      };
      return storeRates(transaction, batches());
    });
  const others = ['2026-03-01 EUR/USD 1.1', '2026-03-02 EUR/CAD 1.5', '2026-03-02 GBP/USD 1.3'];
  const filled = await store('2026-03-02 EUR/USD 1.1', ...others, '2026-03-02 EUR/USD 9');
  expect(filled).toEqual(changes(4, 0, 0, '2026-03-01', '2026-03-02'));
  const merged = await store('2026-03-02 EUR/USD 1.2', '2026-03-03 EUR/USD 1.3', '2026-03-03 EUR/USD 9');
  expect(merged).toEqual(changes(1, 1, 0, '2026-03-02', '2026-03-03'));
  const all = [...others, '2026-03-02 EUR/USD 1.2', '2026-03-03 EUR/USD 1.3'].map((one) => `ECB ${one}`);
  expect((await stored()).sort()).toEqual(all.sort());
});

const give = (provider: string, ...rows: string[]) =>
  inTransaction(database, (transaction) => storeRates(transaction, [rows.map(rowOf(provider))]));
const read = async (selection: RawSelection) => {
  const found: string[] = [];
  await inOneView(database, (view) =>
    readPairs(view, selection, ({ provider, each }) =>
      each((day, rate) => found.push(`${provider} ${fromDayNumber(day).slice(5)} ${rate}`)),
    ),
  );
  return found.sort().join();
};

it.each<[RawSelection, found: string]>([
  [{}, 'ECB 03-02 1.1,ECB 03-03 170,ECB 03-04 1.2'],
  [{ from: dayNumber('2026-03-03'), to: dayNumber('2026-03-03') }, 'ECB 03-03 170'],
  [{ providers: ['BOC'] }, ''],
  [{ providers: ['ECB'], currencies: ['JPY'] }, 'ECB 03-02 1.1,ECB 03-03 170'],
  // Those of one provider, and of several those that may be blended.
  [{ providers: ['BIS'] }, 'BIS 03-02 0.4'],
  [{ providers: ['BIS', 'ECB'], to: dayNumber('2026-03-02') }, 'ECB 03-02 1.1'],
])('rates are read by day, provider and currency: %j', async (selection, found) => {
  await give('ECB', '2026-03-02 EUR/JPY 1.1', '2026-03-03 EUR/JPY 170', '2026-03-04 GBP/CHF 1.2');
  await give('BIS', '2026-03-02 USD/GBP 0.4');
  expect(await read(selection)).toBe(found);
});

it('a value of a selection is never SQL', async () => {
  await give('ECB', '2026-03-02 EUR/JPY 1.1');
  for (const text of ["X'", "X') or true --", "\\' or true --"])
    expect(await read({ providers: [text], currencies: [text] })).toBe('');
});

it('rates are read of the days before one as the newest of each pair that is not left out, and whole from then on', async () => {
  await give('ECB', '2026-03-02 EUR/USD 1.1', '2026-03-03 EUR/USD 1.2', '2026-03-04 EUR/USD 12');
  await give('ECB', '2026-03-01 EUR/JPY 170', '2026-03-02 EUR/JPY 171', '2026-03-05 EUR/JPY 172');
  await give('ECB', '2026-03-06 EUR/JPY 173');
  await database.pool.query(
    `insert into suspects (provider, date, base, quote, rate, reason, expected, others, status)
     values ('ECB', '2026-03-04', 'EUR', 'USD', 12, 'jump', 1, 1, 'held'),
       ('ECB', '2026-03-02', 'EUR', 'JPY', 171, 'jump', 1, 1, 'accepted')`,
  );
  const newestBefore = dayNumber('2026-03-05');
  const whole = 'ECB 03-05 172,ECB 03-06 173';
  expect(await read({ newestBefore })).toBe(`ECB 03-02 171,ECB 03-03 1.2,${whole}`);
  const upTo = await read({ newestBefore, to: dayNumber('2026-03-05') });
  expect(upTo).toBe('ECB 03-02 171,ECB 03-03 1.2,ECB 03-05 172');
  expect(await read({ newestBefore, from: dayNumber('2026-03-03') })).toBe(`ECB 03-03 1.2,${whole}`);
});

it('rates are read as they were known, with when and by which run they were recorded', async () => {
  await database.pool.query(`insert into rates (provider, date, base, quote, rate, recorded_at, run) values
    ('ECB', '2026-03-02', 'EUR', 'USD', 1.1, '1999-03-02T16:00:00.123Z', 7),
    ('ECB', '2026-03-03', 'EUR', 'USD', 1.2, '2026-03-03T16:00:00Z', null)`);
  const records = async (selection: RawSelection) => {
    const found: unknown[] = [];
    await inOneView(database, (view) =>
      readPairs(view, selection, ({ each }) => each((_day, rate, record) => found.push([rate, record]))),
    );
    return found.sort();
  };
  const [first, second] = [Date.UTC(1999, 2, 2, 16, 0, 0, 123), Date.UTC(2026, 2, 3, 16)];
  expect(await records({ isRecordWanted: true })).toEqual([
    [1.1, { at: first, run: 7 }],
    [1.2, { at: second, run: 0 }],
  ]);
  expect(await records({ knownAt: first })).toEqual([[1.1, undefined]]);
  expect(await records({ knownAt: first - 1, isRecordWanted: true })).toEqual([]);
});

it('rates are read by the thousand, and exported as they are', async () => {
  await database.pool.query(`insert into rates (provider, date, base, quote, rate)
    select 'ECB', date '2000-01-01' + n, 'EUR', 'USD', 1 + n / 7::float8 from generate_series(1, 5000) n`);
  const found: number[] = [];
  await inOneView(database, (view) =>
    readPairs(view, {}, ({ each }) => each((_day, rate) => found.push(rate))),
  );
  const rates = Array.from({ length: 5_000 }, (_, n) => 1 + (n + 1) / 7);
  expect(found).toEqual(rates);
  const output = new PassThrough();
  const [csv] = await Promise.all([text(output), exportRates(database, output)]);
  const [header, ...lines] = csv.trim().split('\n');
  expect(header).toBe('provider,date,base,quote,rate,buy,sell');
  expect(lines.map((line) => Number(line.split(',')[4]))).toEqual(rates);
  expect(lines.every((line) => line.endsWith(',,'))).toBe(true);
});
