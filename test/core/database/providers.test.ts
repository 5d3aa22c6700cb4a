import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cover, extendCoverage, readCoverage, readCurrencies } from '../../../core/database/coverage.js';
import {
  appendVersion,
  newestVersion,
  newestVersionNumber,
  versionsFrom,
} from '../../../core/database/data-versions.js';
import {
  failRun,
  findRuns,
  PLANNED_BY_RUNS,
  startRun,
  succeedRun,
} from '../../../core/database/ingest-runs.js';
import {
  ensureProviders,
  extendBackfill,
  noteMissingCredentials,
  readBackfilledTo,
  readPlanningStates,
  readProviderStates,
} from '../../../core/database/providers.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { needsKeyError } from '../../../core/domain/provider-status.js';
import { databaseTime, type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    'truncate providers, ingest_runs, pair_coverage, currencies, data_versions restart identity',
  );
  await inTransaction(database, (transaction) => ensureProviders(transaction, ['ECB', 'BOC', 'ECB']));
});

const extend = (from: string, to: string, today = '2026-03-20') =>
  inTransaction(database, (transaction) => extendBackfill(transaction, 'ECB', { from, to }, today));
const backfilledTo = () => readBackfilledTo(database, 'ECB');

it('providers are there once, however often they are made sure of', async () => {
  await inTransaction(database, (transaction) => ensureProviders(transaction, ['ECB']));
  expect([...(await readProviderStates(database)).keys()].sort()).toEqual(['BOC', 'ECB']);
});

it('a backfill begins with a window that reaches today and goes on without gaps', async () => {
  await extend('2026-03-01', '2026-03-19');
  expect(await backfilledTo()).toBeNull();
  await extend('2026-03-07', '2026-03-20');
  expect(await backfilledTo()).toBe('2026-03-07');
  await extend('2026-02-01', '2026-03-05');
  expect(await backfilledTo()).toBe('2026-03-07');
  await extend('2026-02-01', '2026-03-06');
  expect(await backfilledTo()).toBe('2026-02-01');
  await extend('2026-03-01', '2026-03-20');
  expect(await backfilledTo()).toBe('2026-02-01');
  expect(await readBackfilledTo(database, 'NOPE')).toBeNull();
});

const neverRecorded = { newestAt: null, previousAt: null, isThin: false, askAfter: null };

it.each(['schedule', 'catch-up'])(
  'the last day that was asked for is that of the newest runs that were no backfills: %s',
  async (planned) => {
    const stored = { rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {} };
    const counts = { ...stored, rowsSkipped: {}, noData: {}, responses: 1, responseBytes: 20 };
    for (const [reason, to] of [
      [planned, '2026-03-20'],
      ['operator', '2026-03-19'],
      ['backfill', '2026-03-27'],
    ] as const) {
      const id = await startRun(database, { provider: 'ECB', reason, reading: 1, from: '2026-03-01', to });
      await inTransaction(database, (transaction) => succeedRun(transaction, id, 'ECB', counts));
    }
    await extend('2026-03-07', '2026-03-20');
    const askedAt = (await findRuns(database, 'ECB', { limit: 9 })).find(
      ({ reason }) => reason === planned,
    )?.startedAt;
    expect(askedAt).toBeInstanceOf(Date);
    const ecb = {
      backfilledTo: '2026-03-07',
      through: '2026-03-20',
      endDate: null,
      lastError: null,
      askedAt,
      ...neverRecorded,
    };
    const boc = {
      backfilledTo: null,
      through: null,
      endDate: null,
      lastError: null,
      askedAt: null,
      ...neverRecorded,
    };
    expect(Object.fromEntries(await readPlanningStates(database))).toEqual({ ECB: ecb, BOC: boc });
    expect(Object.fromEntries(await readPlanningStates(database, 'ECB'))).toEqual({ ECB: ecb });
    await database.pool.query(
      `insert into ingest_runs (provider, reason, window_from, window_to, outcome, started_at)
     select 'ECB', 'operator', '2026-03-01', '2026-03-18', 'succeeded', now() + interval '1 hour'
     from generate_series(1, $1)`,
      [PLANNED_BY_RUNS],
    );
    const later = { ...ecb, through: '2026-03-18', askedAt: null };
    expect(Object.fromEntries(await readPlanningStates(database, 'ECB'))).toEqual({ ECB: later });
  },
);

it('missing credentials are noted, and forgotten once they are there', async () => {
  const errors = async () =>
    Object.fromEntries(
      [...(await readProviderStates(database))].map(([key, { lastError }]) => [key, lastError]),
    );
  await database.pool.query(`update providers set last_error = 'no answer' where key = 'BOC'`);
  const missing = needsKeyError(['FRED_API_KEY']);
  await noteMissingCredentials(database, new Map([['FRED', missing]]));
  expect(await errors()).toEqual({ BOC: 'no answer', ECB: null, FRED: missing });
  await noteMissingCredentials(database, new Map());
  expect(await errors()).toEqual({ BOC: 'no answer', ECB: null, FRED: null });
});

it('what is covered widens, with the lifetimes of currencies and of those pegged to them', async () => {
  const extendBy = async (date: string) => {
    const coverage = new Map();
    cover(coverage, 'ECB', { date, base: 'EUR', quote: 'USD' });
    await inTransaction(database, (transaction) => extendCoverage(transaction, coverage));
  };
  await extendBy('2026-03-10');
  await extendBy('2026-03-02');
  await extendBy('2026-03-05');
  const span = { start: '2026-03-02', end: '2026-03-10' };
  expect(await readCoverage(database)).toEqual(
    new Map([
      [
        'ECB',
        new Map([
          ['EUR', span],
          ['USD', span],
        ]),
      ],
    ]),
  );
  const currencies = await readCurrencies(database);
  expect(currencies.get('EUR')).toEqual(span);
  expect(currencies.get('AED')).toEqual(span);
});

it('versions are numbered in their order', async () => {
  expect(await newestVersionNumber(database)).toBe(0n);
  expect(await inTransaction(database, newestVersion)).toBeUndefined();
  const append = (from: string, provider?: string) =>
    inTransaction(database, (transaction) =>
      appendVersion(transaction, { from, to: '2026-03-20' }, provider),
    );
  expect(await append('2026-03-01', 'ECB')).toBe(1n);
  expect(await append('1998-12-31')).toBe(2n);
  expect(await newestVersionNumber(database)).toBe(2n);
  const versions = await inTransaction(database, (transaction) => versionsFrom(transaction, 1n));
  const made = { createdAt: expect.any(Number), method: BLEND_METHOD, excepted: '' };
  expect(versions).toEqual([
    { ...made, version: 1n, from: '2026-03-01', to: '2026-03-20', provider: 'ECB' },
    { ...made, version: 2n, from: '1998-12-31', to: '2026-03-20', provider: null },
  ]);
  expect(await inTransaction(database, newestVersion)).toEqual(versions[1]);
});

it('versions are read from a number on, as many as wanted, with the instant of their transaction', async () => {
  const from = (version: bigint, limit?: number) =>
    inTransaction(database, async (transaction) =>
      (await versionsFrom(transaction, version, limit)).map((one) => one.version),
    );
  const before = (await databaseTime(database)).getTime();
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03'])
    await inTransaction(database, (transaction) =>
      appendVersion(transaction, { from: day, to: day }, undefined),
    );
  await database.pool.query('update data_versions set method = method where version = 1');
  expect(await from(1n)).toEqual([1n, 2n, 3n]);
  expect(await from(2n)).toEqual([2n, 3n]);
  expect(await from(1n, 2)).toEqual([1n, 2n]);
  expect(await from(4n)).toEqual([]);
  const newest = await inTransaction(database, newestVersion);
  expect(newest?.createdAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(newest?.createdAt).toBeLessThanOrEqual((await databaseTime(database)).getTime() + 1_000);
});

it('a backfill that has not begun begins with no window that ends before today', async () => {
  await extend('2026-03-01', '2026-03-21');
  expect(await backfilledTo()).toBe('2026-03-01');
  await extend('2026-03-01', '2026-03-19');
  expect(await readBackfilledTo(database, 'BOC')).toBeNull();
});

it('the last day that was asked for is not that of a run that failed', async () => {
  const id = await startRun(database, {
    provider: 'ECB',
    reason: 'schedule',
    reading: 1,
    from: '2026-03-01',
    to: '2026-03-20',
  });
  await inTransaction(database, (transaction) =>
    failRun(transaction, id, 'ECB', { error: 'down', fault: 'provider' }),
  );
  expect((await readPlanningStates(database, 'ECB')).get('ECB')).toMatchObject({
    through: null,
    lastError: 'down',
  });
});

it('the planning knows when the newest day and the one before it were first recorded, and whether it is thin', async () => {
  await database.pool.query(`
    update providers set end_date = '2026-03-06', ask_after = '2026-03-07T12:00:00Z' where key = 'ECB';
    insert into rates (provider, date, base, quote, rate, recorded_at) values
      ('ECB', '2026-03-06', 'EUR', 'USD', 1.1, '2026-03-06T16:00:00Z'),
      ('ECB', '2026-03-06', 'EUR', 'JPY', 160, '2026-03-06T15:30:00Z'),
      ('ECB', '2026-03-05', 'EUR', 'USD', 1.2, '2026-03-06T16:00:00Z'),
      ('ECB', '2026-03-04', 'EUR', 'USD', 1.3, '2026-03-04T16:00:00Z'),
      ('BOC', '2026-03-06', 'USD', 'CAD', 1.3, '2026-03-01T16:00:00Z');
    insert into rate_revisions (provider, date, base, quote, rate, recorded_at) values
      ('ECB', '2026-03-05', 'EUR', 'USD', 1.1, '2026-03-05T16:00:00Z')`);
  const state = async () => (await readPlanningStates(database, 'ECB')).get('ECB');
  const dates = {
    newestAt: new Date('2026-03-06T15:30:00Z'),
    // Corrected since, which is not when it came.
    previousAt: new Date('2026-03-05T16:00:00Z'),
    askAfter: new Date('2026-03-07T12:00:00Z'),
  };
  expect(await state()).toMatchObject({ ...dates, isThin: false });
  await database.pool.query(
    `insert into thin_days (provider, date, currencies, usual) values ('ECB', '2026-03-06', 1, 30)`,
  );
  expect(await state()).toMatchObject({ ...dates, isThin: true });
});
