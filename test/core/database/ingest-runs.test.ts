import { expect, it } from 'vitest';
import * as ingest from '../../../core/database/ingest-runs.js';
import { readProviderStates } from '../../../core/database/providers.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { addDays, toCalendarDate } from '../../../core/domain/dates.js';
import { recordRuns } from '../../support/recorded-runs.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase('providers', 'ingest_runs', 'pair_coverage', 'suspects');

const run = {
  ...{ reading: 1, provider: 'ECB', jobId: 'job-1', reason: 'schedule' },
  ...{ from: '2026-03-16', to: '2026-03-20' },
};
const counts = { rowsNew: 3, rowsCorrected: 1, rowsUnchanged: 5, rowsDropped: { future: 2 } };
const reading = { rowsSkipped: { 'no rate': 4 }, noData: { holiday: 1 }, responses: 2, responseBytes: 3e9 };
const start = (changed: Partial<typeof run> = {}) => ingest.startRun(database, { ...run, ...changed });
const succeed = (id: string) =>
  inTransaction(database, (transaction) =>
    ingest.succeedRun(transaction, id, 'ECB', { ...counts, ...reading }),
  );
const fail = (id: string, failure: Partial<ingest.RunFailure> = {}) =>
  inTransaction(database, (transaction) =>
    ingest.failRun(transaction, id, 'ECB', { error: 'no answer', fault: 'provider', ...failure }),
  );
const runsOf = (provider: string, limit = 9) => ingest.findRuns(database, provider, { limit });
const state = async (provider = 'ECB') => (await readProviderStates(database)).get(provider);

it('a run begins, succeeds, and is remembered with its days as they were given', async () => {
  const before = Date.now();
  const id = await start();
  const begun = await ingest.findRunOfJob(database, 'job-1');
  expect(begun).toMatchObject({ id, outcome: 'running', finishedAt: null });
  expect(Number(begun?.startedAt)).toBeGreaterThanOrEqual(before);
  await fail(id);
  expect(await state()).toMatchObject({ lastAttemptAt: begun?.startedAt, lastSuccessAt: null });
  const second = await ingest.startRun(database, { ...run, jobId: undefined });
  await succeed(second);
  const nothing = { rowsSkipped: {}, noData: {}, responses: 0, responseBytes: 0 };
  const runs = await runsOf('ECB');
  expect(runs).toMatchObject([
    { id: second, job: null, outcome: 'succeeded', error: null, ...counts, ...reading },
    { id, provider: 'ECB', job: 'job-1', from: run.from, to: run.to, error: 'no answer', ...nothing },
  ]);
  expect(await ingest.findRuns(database, 'ECB', { limit: 1, before: second })).toMatchObject([{ id }]);
  expect(await runsOf('BOC')).toEqual([]);
  const { startedAt, finishedAt } = runs[0] ?? {};
  expect(await state()).toMatchObject({
    lastError: null,
    lastAttemptAt: startedAt,
    lastSuccessAt: finishedAt,
  });
  for (const one of runs) expect(Number(one.finishedAt)).toBeGreaterThanOrEqual(Number(one.startedAt));
});

it('a run that a dead worker left open is closed by the next one of its provider', async () => {
  const done = await start();
  await succeed(done);
  const other = await start({ provider: 'BOC', jobId: 'job-2' });
  const left = await start();
  const next = await start();
  expect(await runsOf('ECB')).toMatchObject([
    { id: next, outcome: 'running', error: null },
    { id: left, outcome: 'failed', error: 'its process ended while it ran' },
    { id: done, outcome: 'succeeded', error: null },
  ]);
  expect(await runsOf('BOC')).toMatchObject([{ id: other, outcome: 'running' }]);
  expect((await ingest.findRunOfJob(database, 'job-1'))?.id).toBe(next);
  expect(await ingest.findRunOfJob(database, 'job-9')).toBeUndefined();
});

it('a failure is held against its own provider, unless the worker is at fault, and keeps what was read', async () => {
  await start({ provider: 'BOC' });
  await fail(await start(), { error: 'stopped', fault: 'worker' });
  expect((await state())?.lastError).toBeNull();
  await fail(await start(), { reading: { ...reading, rowsDropped: { future: 1 } } });
  expect([(await state())?.lastError, (await state('BOC'))?.lastError]).toEqual(['no answer', null]);
  const kept = { outcome: 'failed', rowsNew: 0, rowsDropped: { future: 1 }, ...reading };
  expect(await runsOf('ECB', 1)).toMatchObject([kept]);
});

it('only a run that is open is held', async () => {
  const id = await start();
  const hold = () => inTransaction(database, (transaction) => ingest.holdRun(transaction, id, 'ECB'));
  await hold();
  await succeed(id);
  const over = `run ${id} is over: another worker has begun one of ECB`;
  for (const late of [hold, () => succeed(id)]) await expect(late()).rejects.toThrow(over);
});

it('runs are forgotten that began before an instant and recorded nothing, beside the newest successes of their provider', async () => {
  await database.pool.query(
    `insert into providers (key) values ('ECB'), ('BOC');
     insert into ingest_runs (provider, job_id, reason, window_from, started_at, outcome, rows_new, rows_corrected)
     select 'ECB', job, reason, '2026-03-01', '2026-03-06T10:00:00Z'::timestamptz - age * interval '1 ms',
       outcome::run_outcome, new, corrected
     from (values
       ('of that instant', 'schedule', 0, 'failed', 0, 0), ('failed', 'schedule', 1, 'failed', 0, 0),
       ('under way', 'schedule', 1, 'running', 0, 0), ('with a new rate', 'schedule', 90, 'succeeded', 1, 0),
       ('with a corrected one', 'retry', 1, 'succeeded', 0, 1), ('of history', 'backfill', 1, 'succeeded', 0, 0),
       ('again', 'retry', 1, 'succeeded', 0, 0), ('older', 'schedule', 3, 'succeeded', 0, 0)
     ) as made (job, reason, age, outcome, new, corrected);
     insert into ingest_runs (provider, reason, window_from, started_at, outcome)
     select provider, 'operator', '2026-03-01', '2026-03-06T10:00:00Z'::timestamptz - interval '2 ms', 'succeeded'
     from unnest('{ECB,BOC}'::text[]) as provider, generate_series(1, ${ingest.PLANNED_BY_RUNS})`,
  );
  expect(await ingest.pruneRuns(database, new Date('2026-03-06T10:00:00Z'))).toBe(4);
  const kept = await runsOf('ECB', 99);
  const jobs = ['with a corrected one', 'with a new rate', 'under way', 'of that instant'];
  expect(kept.flatMap(({ job }) => job ?? [])).toEqual(jobs);
  expect([kept.length, (await runsOf('BOC', 99)).length]).toEqual([24, 20]);
});

const TOMORROW = addDays(toCalendarDate(new Date()), 1);

it('the newest rates were last read when a run began that asked for its own day', async () => {
  const id = await start({ to: TOMORROW });
  expect((await state())?.newestReadAt).toBeNull();
  await succeed(id);
  expect((await state())?.newestReadAt).toEqual((await runsOf('ECB', 1))[0]?.startedAt);
});

it.each([
  ['for a backfill', { reason: 'backfill' }, succeed],
  ['for older days', { reason: 'by hand', to: '2026-03-02' }, succeed],
  ['that failed', {}, fail],
])('the newest rates were last read by no run %s', async (_what, other, end) => {
  await end(await start({ to: TOMORROW, ...other }));
  expect((await state())?.newestReadAt).toBeNull();
});

it('counts the reads of each day by their outcome', async () => {
  await recordRuns(database, new Date('2026-03-18T23:59:58Z'), ['ECB', 'BOC', 'BOE'], null);
  await recordRuns(database, new Date('2026-03-20T10:00:00Z'), ['ECB']);
  const none = { succeeded: 0, failed: 0 };
  expect(await ingest.readDaysOfReads(database, { from: '2026-03-18', to: '2026-03-21' })).toEqual([
    { ...none, date: '2026-03-18', succeeded: 2 },
    { ...none, date: '2026-03-19', succeeded: 1 },
    { ...none, date: '2026-03-20', failed: 1 },
    { ...none, date: '2026-03-21' },
  ]);
});
