import { getTasks } from 'node-cron';
import { describe, expect, it } from 'vitest';
import { readReadingPlan } from '../../../core/database/reading-plan.js';
import { readConfig } from '../../../core/process/config.js';
import { checkBackup } from '../../../worker/backup/backup.js';
import { catchUp, sweep } from '../../../worker/jobs/catch-up.js';
import { credentialsIn, keepReadingPlan } from '../../../worker/jobs/reading-plan.js';
import { nightlyWindow, type ScheduleDeps, startSchedule } from '../../../worker/jobs/start-jobs.js';
import { ownFolder } from '../../core/support.js';
import { readLines } from '../ingest/support.js';
import { stubFeed } from './stub-feed.js';
import { runsOf, sharedGround } from './support.js';

const g = await sharedGround();
const inFolder = ownFolder();

/** Runs a task of the schedule in two workers at once; returns how many tasks of that name there were. */
async function execute(name: string, deps: Partial<ScheduleDeps>): Promise<number> {
  const stops = [1, 2].map(() => startSchedule({ ...g.plan, ...deps }));
  const tasks = [...getTasks().values()].filter((task) => task.name === name);
  await Promise.all(tasks.map((task) => task.execute()));
  await Promise.all(stops.map((stop) => stop()));
  return tasks.length;
}

it('every provider is asked at the start, spread out, an archive only until it is complete', async () => {
  for (const key of ['BBK', 'BOC', 'ECB']) g.bank(key);
  g.bank('FRED', { credentials: ['FRED_API_KEY'] });
  await Promise.all([catchUp(g.plan, 60_000), catchUp(g.plan, 60_000)]);
  const jobs = await g.queues.ingest.getJobs();
  const planned = async () => (await g.queues.ingest.getJobs()).map(({ data }) => data.provider).sort();
  expect(await planned()).toEqual(['BBK', 'BOC', 'ECB']);
  const delays = jobs.map((job) => job.delay);
  expect(new Set(delays).size).toBe(3);
  expect(Math.max(...delays)).toBeLessThan(60_000);
  const missing = await readLines(g.database, 'select key, last_error from providers');
  expect(missing).toEqual(['FRED needs_key: FRED_API_KEY']);
  await g.queues.ingest.obliterate({ force: true });
  await g.database.pool.query(
    `insert into providers (key, backfilled_to) values ('BBK', '1948-06-21'), ('ECB', '1999-01-04')
     on conflict (key) do update set backfilled_to = excluded.backfilled_to`,
  );
  await catchUp(g.plan, 0);
  expect(await planned()).toEqual(['BOC', 'ECB']);
});

it('a source that asks to be left alone is asked for nothing until then, its history included', async () => {
  g.bank('ECB', { backfillDays: 100 });
  await g.database.pool.query(
    `insert into providers (key, backfilled_to, ask_after) values ('ECB', '2026-11-01', '2026-11-20T22:00:00Z')`,
  );
  const askedAt = async (at: string) => {
    const now = new Date(at);
    await sweep({ ...g.plan, clock: () => now }, now, 0);
    return (await g.queues.ingest.getJobs()).length;
  };
  expect(await askedAt('2026-11-20T21:37:00Z')).toBe(0);
  expect(await askedAt('2026-11-20T22:37:00Z')).toBe(1);
});

describe('the hourly sweep', () => {
  /** The jobs that two workers plan at an instant, one of them a minute late. */
  async function planned(at: string) {
    const now = new Date(at);
    await sweep({ ...g.plan, clock: () => now }, now);
    await sweep({ ...g.plan, clock: () => new Date(now.getTime() + 60_000) }, now);
    return (await g.queues.ingest.getJobs()).map(({ id }) => id);
  }

  /** A provider whose last success began at an instant, and a backfill of it now. */
  async function succeededAt(key: string, instant: string, reason = 'schedule') {
    g.feeds.set(key, stubFeed(g.stub.url, key));
    await g.database.pool.query(`insert into providers (key, backfilled_to) values ('${key}', '1900-01-01')`);
    await g.database.pool.query(
      `insert into ingest_runs (provider, reason, window_from, window_to, started_at, outcome)
       values ('${key}', '${reason}', '2026-11-01', '2026-11-02', '${instant}', 'succeeded'),
         ('${key}', 'backfill', '2001-11-01', '2001-11-02', now(), 'succeeded')`,
    );
  }

  it.each([
    // Every half hour from 14:00 to 16:30, Monday to Friday. 2026-11-20 is a Friday.
    ['ECB', '2026-11-20T14:00:20Z', '2026-11-21T09:37:00Z', true],
    ['ECB', '2026-11-20T16:30:20Z', '2026-11-21T09:37:00Z', false],
    ['ECB', '2026-11-20T16:30:20Z', '2026-11-23T14:37:00Z', true],
    // An archive has no slots.
    ['BBK', '2020-11-05T12:00:10Z', '2026-12-24T12:37:00Z', false],
  ])('asks %s, which succeeded at %s, once at %s: %s', async (key, last, at, isAsked) => {
    await succeededAt(key, last);
    const id = `ingest-${key}-catch-up-${at.replaceAll(/[-:]/g, '').slice(0, 13)}`;
    expect(await planned(at)).toEqual(isAsked ? [id] : []);
  });

  it.each([
    ['the newest attempt failed', 'schedule', "'down'"],
    ['it gave rates only to an operator', 'operator', 'null'],
  ])('asks also where %s', async (_why, reason, error) => {
    await succeededAt('ECB', '2026-11-20T16:30:20Z', reason);
    await g.database.pool.query(`update providers set last_error = ${error}`);
    expect(await planned('2026-11-21T09:37:00Z')).toEqual(['ingest-ECB-catch-up-20261121T0937']);
  });
});

it('old runs are forgotten daily', async () => {
  await g.database.pool.query(`
    insert into providers (key) values ('ECB');
    insert into ingest_runs (provider, reason, window_from, started_at, outcome)
    select 'ECB', 'schedule', '2020-01-01', now() - number * interval '40 days', 'failed' from generate_series(1, 20) as number`);
  expect(await execute('pruning of runs', {})).toBe(2);
  expect(await runsOf(g, 'ECB')).toHaveLength(9);
});

it('a backup is made daily, once for all workers', async () => {
  const backups = { ...g.plan, folder: inFolder(), keep: 7 };
  expect(await execute('daily backup', { backups })).toBe(2);
  const day = new Date().toISOString().slice(0, 10);
  expect((await checkBackup(inFolder(day))).tables.length).toBeGreaterThan(10);
});

it('two weeks, and what is dated ahead, are blended again at night', () => {
  expect(nightlyWindow(new Date('2026-11-20T03:17:00Z'))).toEqual({ from: '2026-11-06', to: '2026-11-22' });
});

it.each([
  [{}, ['ECB']],
  [{ FRED_API_KEY: 'key' }, ['ECB', 'FRED']],
  [{ FEEDS_FROM: '/recordings' }, ['ECB', 'FRED']],
  [{ SCHEDULE: 'off', FRED_API_KEY: 'key' }, []],
])('a worker with %j has it on record that it reads %j', async (variables, sources) => {
  g.bank('ECB');
  g.bank('FRED', { credentials: ['FRED_API_KEY'] });
  const now = new Date('2026-03-20T17:00:00Z');
  const config = readConfig(variables);
  const deps = { ...g.plan, config, variables: credentialsIn(config, g.feeds), clock: () => now };
  const kept = await keepReadingPlan(deps);
  expect(await readReadingPlan(g.database)).toEqual({ sources, since: now, seenAt: now });
  kept.close();
  await g.database.pool.query('delete from reading_plan');
});
