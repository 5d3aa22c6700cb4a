import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { failRun, findRunOfJob, findRuns, startRun, succeedRun } from '../../../core/database/ingest-runs.js';
import { readProviderStates } from '../../../core/database/providers.js';
import { readStatistics } from '../../../core/database/statistics.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate providers, ingest_runs, currency_coverage');
});

const run = { provider: 'ECB', jobId: 'job-1', reason: 'schedule', from: '2026-03-16', to: '2026-03-20' };
const counts = { rowsNew: 3, rowsCorrected: 1, rowsUnchanged: 5, rowsDropped: { future: 2 } };
const succeed = (id: string) =>
  inTransaction(database, (transaction) => succeedRun(transaction, id, 'ECB', counts));

it('a run begins, succeeds, and is remembered with its days as they were given', async () => {
  const id = await startRun(database, run);
  expect(await findRunOfJob(database, 'job-1')).toMatchObject({ id, outcome: 'running', finishedAt: null });
  await failRun(database, id, 'ECB', 'no answer');
  const second = await startRun(database, { ...run, jobId: undefined });
  await succeed(second);
  const runs = await findRuns(database, 'ECB', { limit: 10 });
  expect(runs).toMatchObject([
    { id: second, job: null, outcome: 'succeeded', error: null, ...counts },
    { id, provider: 'ECB', job: 'job-1', from: '2026-03-16', to: '2026-03-20', error: 'no answer' },
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
  await failRun(database, await startRun(database, run), 'ECB', 'stopped', 'worker');
  expect(await lastError()).toBeNull();
  await failRun(database, await startRun(database, run), 'ECB', 'no answer');
  expect(await lastError()).toBe('no answer');
});

it('what came of all runs is added up', async () => {
  await succeed(await startRun(database, run));
  await succeed(await startRun(database, run));
  await failRun(database, await startRun(database, run), 'ECB', 'no answer');
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
    },
  ]);
});
