import { describe, expect, it } from 'vitest';
import {
  failRun,
  findRunOfJob,
  findRuns,
  holdRun,
  pruneRuns,
  type RunFailure,
  startRun,
  succeedRun,
} from '../../../core/database/ingest-runs.js';
import { readHistoryReadings, readProviderStates } from '../../../core/database/providers.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { addDays, toCalendarDate } from '../../../core/domain/dates.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase('providers', 'ingest_runs', 'pair_coverage');

const run = {
  ...{ reading: 1, provider: 'ECB', jobId: 'job-1', reason: 'schedule' },
  ...{ from: '2026-03-16', to: '2026-03-20' },
};
const counts = { rowsNew: 3, rowsCorrected: 1, rowsUnchanged: 5, rowsDropped: { future: 2 } };
const reading = { rowsSkipped: { 'no rate': 4 }, noData: { holiday: 1 }, responses: 2, responseBytes: 3e9 };
const start = (changed: Partial<typeof run> = {}) => startRun(database, { ...run, ...changed });
const succeed = (id: string) =>
  inTransaction(database, (transaction) => succeedRun(transaction, id, 'ECB', { ...counts, ...reading }));
const fail = (id: string, failure: Partial<RunFailure> = {}) =>
  inTransaction(database, (transaction) =>
    failRun(transaction, id, 'ECB', { error: 'no answer', fault: 'provider', ...failure }),
  );
const runsOf = (provider: string, limit = 9) => findRuns(database, provider, { limit });
const state = async (provider = 'ECB') => (await readProviderStates(database)).get(provider);
const timeOf = (date: Date | null | undefined) => date?.getTime() ?? Number.NaN;

it('a run begins, succeeds, and is remembered with its days as they were given', async () => {
  const id = await start();
  expect(await findRunOfJob(database, 'job-1')).toMatchObject({ id, outcome: 'running', finishedAt: null });
  await fail(id);
  const second = await startRun(database, { ...run, jobId: undefined });
  await succeed(second);
  const nothing = { rowsSkipped: {}, noData: {}, responses: 0, responseBytes: 0 };
  const runs = await runsOf('ECB');
  expect(runs).toMatchObject([
    { id: second, job: null, outcome: 'succeeded', error: null, ...counts, ...reading },
    { id, provider: 'ECB', job: 'job-1', from: run.from, to: run.to, error: 'no answer', ...nothing },
  ]);
  expect(await findRuns(database, 'ECB', { limit: 1, before: second })).toMatchObject([{ id }]);
  expect(await runsOf('BOC')).toEqual([]);
  expect(await state()).toMatchObject({ lastError: null, lastSuccessAt: runs[0]?.finishedAt });
});

it('a run that a dead worker left open is closed by the next one of its provider', async () => {
  const done = await start();
  await succeed(done);
  const other = await start({ provider: 'BOC', jobId: 'job-2' });
  const left = await start();
  const next = await start();
  expect(await runsOf('ECB')).toMatchObject([
    { id: next, outcome: 'running', error: null },
    { id: left, outcome: 'failed', error: 'its worker died in the midst of it' },
    { id: done, outcome: 'succeeded', error: null },
  ]);
  expect(await runsOf('BOC')).toMatchObject([{ id: other, outcome: 'running' }]);
  expect((await findRunOfJob(database, 'job-1'))?.id).toBe(next);
  expect(await findRunOfJob(database, 'job-9')).toBeUndefined();
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

it('an attempt has its instants, and its provider those of the attempt, and of the success where it was one', async () => {
  const before = Date.now();
  await fail(await start());
  const failed = await state();
  expect(timeOf(failed?.lastAttemptAt)).toBeGreaterThanOrEqual(before);
  expect(failed?.lastSuccessAt).toBeNull();
  const [ended] = await runsOf('ECB', 1);
  expect(timeOf(ended?.startedAt)).toBeGreaterThanOrEqual(before);
  expect(timeOf(ended?.finishedAt)).toBeGreaterThanOrEqual(timeOf(ended?.startedAt));
  await succeed(await start());
  const succeeded = await state();
  expect(timeOf(succeeded?.lastAttemptAt)).toBeGreaterThanOrEqual(timeOf(failed?.lastAttemptAt));
  expect(timeOf(succeeded?.lastSuccessAt)).toBeGreaterThanOrEqual(before);
});

it('only a run that is open is held', async () => {
  const id = await start();
  const hold = () => inTransaction(database, (transaction) => holdRun(transaction, id, 'ECB'));
  await hold();
  await succeed(id);
  const over = `run ${id} is over: another worker has begun one of ECB`;
  for (const late of [hold, () => succeed(id)]) await expect(late()).rejects.toThrow(over);
});

it('runs are forgotten that began before an instant, beside the newest of their own provider', async () => {
  await database.pool.query(
    `insert into providers (key) values ('ECB'), ('BOC');
     insert into ingest_runs (provider, reason, window_from, started_at, outcome)
     select 'ECB', 'schedule', '2026-03-01', '2026-03-06T10:00:00Z'::timestamptz - number * interval '1 ms',
       case when number < 2 then 'failed' else 'succeeded' end::run_outcome
     from generate_series(0, 5) as number;
     insert into ingest_runs (provider, reason, window_from, started_at, outcome)
     select 'BOC', 'schedule', '2026-03-01', '2026-03-07', 'succeeded' from generate_series(1, 30)`,
  );
  expect(await pruneRuns(database, new Date('2026-03-06T10:00:00Z'))).toBe(1);
  expect(await runsOf('ECB')).toHaveLength(5);
});

it('of all readings that succeeded a provider has the lowest', async () => {
  const lowest: unknown[] = [];
  for (const number of [3, 5, 2, 4]) {
    await succeed(await start({ reading: number }));
    lowest.push((await readHistoryReadings(database)).get('ECB'));
  }
  expect(lowest).toEqual([3, 3, 2, 2]);
});

describe('the newest rates were last read', () => {
  const TOMORROW = addDays(toCalendarDate(new Date()), 1);

  it('when a run began that asked for its own day', async () => {
    const id = await start({ to: TOMORROW });
    expect((await state())?.newestReadAt).toBeNull();
    await succeed(id);
    expect((await state())?.newestReadAt).toEqual((await runsOf('ECB', 1))[0]?.startedAt);
  });

  it.each([
    ['for a backfill', { reason: 'backfill' }, succeed],
    ['for older days', { reason: 'by hand', to: '2026-03-02' }, succeed],
    ['that failed', {}, fail],
  ])('by no run %s', async (_what, other, end) => {
    await end(await start({ to: TOMORROW, ...other }));
    expect((await state())?.newestReadAt).toBeNull();
  });
});
