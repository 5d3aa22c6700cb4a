import { beforeEach, expect, it } from 'vitest';
import * as ingest from '../../../core/database/ingest-runs.js';
import * as store from '../../../core/database/providers.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { needsKeyError } from '../../../core/domain/provider-status.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase('providers', 'ingest_runs');
beforeEach(() => database.pool.query(`insert into providers (key) values ('ECB'), ('BOC')`));

const extend = (from: string, to: string) =>
  inTransaction(database, (transaction) =>
    store.extendBackfill(transaction, 'ECB', { from, to }, '2026-03-20'),
  );
const DAYS = { backfilledTo: null, through: null, endDate: null };
const INSTANTS = { askedAt: null, newestAt: null, previousAt: null, askAfter: null };
const NEVER_REQUESTED = { ...DAYS, ...INSTANTS, lastError: null, isIncomplete: false, reading: null };
const planned = (provider = 'ECB') => store.readPlanningState(database, provider);
const lastErrors = async () =>
  Object.fromEntries(
    [...(await store.readProviderStates(database))].map(([key, { lastError }]) => [key, lastError]),
  );

it.each<[windows: string, backfilledTo: string | null]>([
  ['03-01..03-19', null],
  ['03-01..03-21', '2026-03-01'],
  ['03-07..03-20', '2026-03-07'],
  ['03-07..03-20 02-01..03-05', '2026-03-07'],
  ['03-07..03-20 02-01..03-06', '2026-02-01'],
  ['02-01..03-20 03-01..03-20', '2026-02-01'],
])('a backfill begins today and goes on without gaps: %s to %s', async (windows, day) => {
  for (const window of windows.split(' ')) {
    const [from, to] = window.split('..');
    await extend(`2026-${from}`, `2026-${to}`);
  }
  expect((await planned()).backfilledTo).toBe(day);
  for (const other of ['BOC', 'NOPE']) expect(await planned(other)).toEqual(NEVER_REQUESTED);
});

const PLANS = ['schedule', 'catch-up'];
it.each(PLANS)('the last day asked for is that of the newest runs but backfills: %s', async (plan) => {
  const stored = { rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, rowsSkipped: {} };
  const counts = { ...stored, noData: {}, responses: 1, responseBytes: 20 };
  const asked = { [plan]: '2026-03-20', operator: '2026-03-19', backfill: '2026-03-27' };
  for (const [reason, to] of Object.entries(asked)) {
    const id = await ingest.startRun(database, {
      provider: 'ECB',
      reason,
      reading: 1,
      from: '2026-03-01',
      to,
    });
    await inTransaction(database, (transaction) => ingest.succeedRun(transaction, id, 'ECB', counts));
  }
  await extend('2026-03-07', '2026-03-20');
  const runs = await ingest.findRuns(database, 'ECB', { limit: 9 });
  const askedAt = runs.find(({ reason }) => reason === plan)?.startedAt;
  expect(askedAt).toBeInstanceOf(Date);
  const ecb = {
    ...NEVER_REQUESTED,
    backfilledTo: '2026-03-07',
    through: '2026-03-20',
    askedAt,
    reading: 1,
  };
  expect([await planned(), await planned('BOC')]).toEqual([ecb, NEVER_REQUESTED]);
  await database.pool.query(
    `insert into ingest_runs (provider, reason, window_from, window_to, outcome, started_at)
       select 'ECB', 'operator', '2026-03-01', '2026-03-18', 'succeeded', now() + interval '1 hour'
       from generate_series(1, $1)`,
    [ingest.PLANNED_BY_RUNS],
  );
  expect(await planned()).toEqual({ ...ecb, through: '2026-03-18', askedAt: null });
});

it('the last day that was asked for is not that of a run that failed', async () => {
  const window = { from: '2026-03-01', to: '2026-03-20' };
  const id = await ingest.startRun(database, { provider: 'ECB', reason: 'schedule', reading: 1, ...window });
  const failure = { error: 'down', fault: 'provider' } as const;
  await inTransaction(database, (transaction) => ingest.failRun(transaction, id, 'ECB', failure));
  expect(await planned()).toMatchObject({ through: null, lastError: 'down' });
});

it('missing credentials are noted, and forgotten once they are there', async () => {
  await database.pool.query(`update providers set last_error = 'no answer' where key = 'BOC'`);
  const missing = needsKeyError(['FRED_API_KEY']);
  await store.noteMissingCredentials(database, new Map([['FRED', missing]]));
  expect(await lastErrors()).toEqual({ BOC: 'no answer', ECB: null, FRED: missing });
  await store.noteMissingCredentials(database, new Map());
  expect(await lastErrors()).toEqual({ BOC: 'no answer', ECB: null, FRED: null });
});

it('the planning has when the newest day and the one before it were first recorded, and whether it is incomplete', async () => {
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
  const dates = {
    newestAt: new Date('2026-03-06T15:30:00Z'),
    // Corrected since, which is not when it came.
    previousAt: new Date('2026-03-05T16:00:00Z'),
    askAfter: new Date('2026-03-07T12:00:00Z'),
  };
  expect(await planned()).toMatchObject({ ...dates, isIncomplete: false });
  await database.pool.query(
    `insert into thin_days (provider, date, currencies, usual) values ('ECB', '2026-03-06', 1, 30)`,
  );
  expect(await planned()).toMatchObject({ ...dates, isIncomplete: true });
});
