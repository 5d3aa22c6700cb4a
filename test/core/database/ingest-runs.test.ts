import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { readStatistics } from '../../../core/database/statistics.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { addDays, toCalendarDate } from '../../../core/domain/dates.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate providers, ingest_runs, pair_coverage');
});

const run = {
  reading: 1,
  provider: 'ECB',
  jobId: 'job-1',
  reason: 'schedule',
  from: '2026-03-16',
  to: '2026-03-20',
};
const counts = { rowsNew: 3, rowsCorrected: 1, rowsUnchanged: 5, rowsDropped: { future: 2 } };
const reading = { rowsSkipped: { 'no rate': 4 }, noData: { holiday: 1 }, responses: 2, responseBytes: 3e9 };
const NO_READING = { rowsSkipped: {}, noData: {}, responses: 0, responseBytes: 0 };
const succeed = (id: string) =>
  inTransaction(database, (transaction) => succeedRun(transaction, id, 'ECB', { ...counts, ...reading }));
const fail = (id: string, failure: Partial<RunFailure> = {}) =>
  inTransaction(database, (transaction) =>
    failRun(transaction, id, 'ECB', { error: 'no answer', fault: 'provider', ...failure }),
  );

it('a run begins, succeeds, and is remembered with its days as they were given', async () => {
  const id = await startRun(database, run);
  expect(await findRunOfJob(database, 'job-1')).toMatchObject({ id, outcome: 'running', finishedAt: null });
  await fail(id);
  const second = await startRun(database, { ...run, jobId: undefined });
  await succeed(second);
  const runs = await findRuns(database, 'ECB', { limit: 10 });
  expect(runs).toMatchObject([
    { id: second, job: null, outcome: 'succeeded', error: null, ...counts, ...reading },
    {
      id,
      provider: 'ECB',
      job: 'job-1',
      from: '2026-03-16',
      to: '2026-03-20',
      error: 'no answer',
      ...NO_READING,
    },
  ]);
  expect(await findRuns(database, 'ECB', { limit: 1, before: second })).toMatchObject([{ id }]);
  expect(await findRuns(database, 'BOC', { limit: 1 })).toEqual([]);
  const state = (await readProviderStates(database)).get('ECB');
  expect(state).toMatchObject({ lastError: null, lastSuccessAt: runs[0]?.finishedAt });
});

it('a run that a dead worker left open is closed by the next one', async () => {
  const left = await startRun(database, run);
  const next = await startRun(database, run);
  const runs = await findRuns(database, 'ECB', { limit: 10 });
  expect(runs).toMatchObject([
    { id: next, outcome: 'running' },
    { id: left, outcome: 'failed', error: 'its worker died in the midst of it' },
  ]);
});

it('a failure is held against the provider, unless the worker is at fault', async () => {
  const lastError = async () => (await readProviderStates(database)).get('ECB')?.lastError;
  await fail(await startRun(database, run), { error: 'stopped', fault: 'worker' });
  expect(await lastError()).toBeNull();
  await fail(await startRun(database, run));
  expect(await lastError()).toBe('no answer');
});

it('what came of all runs is added up', async () => {
  await succeed(await startRun(database, run));
  await succeed(await startRun(database, run));
  await fail(await startRun(database, run));
  const { dataVersion, providers } = await readStatistics(database, 2_000);
  expect(dataVersion).toBe(0);
  expect(providers).toEqual([
    {
      key: 'ECB',
      endDate: null,
      lastError: 'no answer',
      lastSuccess: expect.any(Number),
      succeeded: 2,
      failed: 1,
      rowsNew: 6,
      rowsCorrected: 2,
      rowsDropped: 4,
      rowsSkipped: 8,
      setAside: 0,
      isThin: false,
    },
  ]);
});

it('a failure keeps what was read before it', async () => {
  const id = await startRun(database, run);
  await fail(id, { reading: { ...reading, rowsDropped: { future: 1 } } });
  expect(await findRuns(database, 'ECB', { limit: 1 })).toMatchObject([
    { outcome: 'failed', rowsNew: 0, rowsDropped: { future: 1 }, ...reading },
  ]);
});

it('an attempt is noted with the provider, and a success only where it was one', async () => {
  const before = Date.now();
  const state = async () => (await readProviderStates(database)).get('ECB');
  await fail(await startRun(database, run));
  const failed = await state();
  expect(failed?.lastAttemptAt?.getTime()).toBeGreaterThanOrEqual(before);
  expect(failed?.lastSuccessAt).toBeNull();
  await succeed(await startRun(database, run));
  const succeeded = await state();
  expect(succeeded?.lastAttemptAt?.getTime()).toBeGreaterThanOrEqual(
    failed?.lastAttemptAt?.getTime() ?? Infinity,
  );
  expect(succeeded?.lastSuccessAt?.getTime()).toBeGreaterThanOrEqual(before);
});

it('only the runs of the same provider that are open are closed by its next one', async () => {
  const done = await startRun(database, run);
  await succeed(done);
  const other = await startRun(database, { ...run, provider: 'BOC', jobId: 'job-2' });
  await startRun(database, run);
  expect(await findRuns(database, 'ECB', { limit: 9 })).toMatchObject([
    { outcome: 'running', error: null },
    { id: done, outcome: 'succeeded', error: null },
  ]);
  expect(await findRuns(database, 'BOC', { limit: 9 })).toMatchObject([{ id: other, outcome: 'running' }]);
});

it('of the runs that a job made the newest is found, and none of a job that made none', async () => {
  const first = await startRun(database, run);
  const second = await startRun(database, run);
  expect(first).not.toBe(second);
  expect((await findRunOfJob(database, 'job-1'))?.id).toBe(second);
  expect(await findRunOfJob(database, 'job-9')).toBeUndefined();
});

it('only a run that is open is held', async () => {
  const id = await startRun(database, run);
  const hold = () => inTransaction(database, (transaction) => holdRun(transaction, id, 'ECB'));
  await hold();
  await succeed(id);
  const over = `run ${id} is over: another worker has begun one of ECB`;
  await expect(hold()).rejects.toThrow(over);
  await expect(succeed(id)).rejects.toThrow(over);
});

it('runs are forgotten that began before an instant, beside the newest of their own provider', async () => {
  const at = new Date('2026-03-06T10:00:00Z');
  await database.pool.query(
    `insert into providers (key) values ('ECB'), ('BOC');
     insert into ingest_runs (provider, reason, window_from, started_at, outcome)
     select 'ECB', 'schedule', '2026-03-01', '2026-03-06T10:00:00Z'::timestamptz - number * interval '1 ms',
       case when number < 2 then 'failed' else 'succeeded' end::run_outcome
     from generate_series(0, 5) as number;
     insert into ingest_runs (provider, reason, window_from, started_at, outcome)
     select 'BOC', 'schedule', '2026-03-01', '2026-03-07', 'succeeded' from generate_series(1, 30)`,
  );
  expect(await pruneRuns(database, at)).toBe(1);
  expect(await findRuns(database, 'ECB', { limit: 9 })).toHaveLength(5);
});

it('a run that ended tells when, and one that failed leaves those of other providers', async () => {
  const before = Date.now();
  const id = await startRun(database, run);
  await startRun(database, { ...run, provider: 'BOC' });
  await fail(id);
  const [ended] = await findRuns(database, 'ECB', { limit: 1 });
  expect(ended?.startedAt.getTime()).toBeGreaterThanOrEqual(before);
  expect(ended?.finishedAt?.getTime()).toBeGreaterThanOrEqual(ended?.startedAt.getTime() ?? Infinity);
  const states = await readProviderStates(database);
  expect([states.get('ECB')?.lastError, states.get('BOC')?.lastError]).toEqual(['no answer', null]);
});

it('of all readings that succeeded a provider has the lowest', async () => {
  const lowest: unknown[] = [];
  for (const number of [3, 5, 2, 4]) {
    await succeed(await startRun(database, { ...run, reading: number }));
    lowest.push((await readHistoryReadings(database)).get('ECB'));
  }
  expect(lowest).toEqual([3, 3, 2, 2]);
});

describe('when the newest rates were last read', () => {
  const newestReadAt = async () => (await readProviderStates(database)).get('ECB')?.newestReadAt ?? null;
  const TOMORROW = addDays(toCalendarDate(new Date()), 1);

  it('is the beginning of a run that asked for its own day', async () => {
    const id = await startRun(database, { ...run, to: TOMORROW });
    expect(await newestReadAt()).toBeNull();
    await succeed(id);
    const [found] = await findRuns(database, 'ECB', { limit: 1 });
    expect(await newestReadAt()).toEqual(found?.startedAt);
  });

  it.each([
    ['a backfill', { reason: 'backfill' }],
    ['older days', { reason: 'by hand', to: '2026-03-02' }],
  ])('is not told by a run for %s', async (_what, other) => {
    await succeed(await startRun(database, { ...run, to: TOMORROW, ...other }));
    expect(await newestReadAt()).toBeNull();
  });

  it('is not told by a run that failed', async () => {
    await fail(await startRun(database, { ...run, to: TOMORROW }));
    expect(await newestReadAt()).toBeNull();
  });
});
