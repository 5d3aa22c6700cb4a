import { getTasks } from 'node-cron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { enqueueBlend } from '../../../core/queues/enqueue.js';
import { catchUp, sweep } from '../../../worker/jobs/catch-up.js';
import { nightlyWindow, startSchedule } from '../../../worker/jobs/schedule.js';
import { backends, type Ground, ground, runsOf, stubFeed } from './support.js';

const onSchedule = (cron: string) =>
  providers.find(({ publish_schedule }) => publish_schedule === cron)?.key ?? cron;
const WEEKLY = onSchedule('*/30 21-23 * * 1');
const MONTHLY = onSchedule('0 12 1-5 * *');

describe.each(backends)('the schedule, jobs on $name', ({ redis, missing }) => {
  let g: Ground;

  beforeEach(async (context) => {
    if (missing) context.skip(missing);
    g = await ground(redis);
    for (const key of ['BBK', 'BOC', 'ECB', 'FRED']) g.feeds.set(key, stubFeed(g.stub.url, key));
    g.feeds.set('FRED', stubFeed(g.stub.url, 'FRED', { credentials: ['FRED_API_KEY'] }));
  });
  afterEach(() => g?.close());

  it('makes one job of a slot that several workers plan', async () => {
    const stops = [1, 2].map(() => startSchedule({ ...g.plan, blend: g.queues.blend, runsKeepDays: 400 }));
    const tasks = [...getTasks().values()];
    // An archive has no schedule, and who lacks a key is not asked.
    expect(new Set(tasks.map((task) => task.name))).toEqual(
      new Set([
        'BOC',
        'ECB',
        'hourly look',
        'jobs of operators',
        'nightly blend',
        'pruning of runs',
        'retry of what is set aside',
      ]),
    );
    expect(tasks).toHaveLength(14);
    await Promise.all(tasks.filter((task) => task.name === 'ECB').map((task) => task.execute()));
    await Promise.all(tasks.filter((task) => task.name === 'nightly blend').map((task) => task.execute()));
    const ingests = await g.queues.ingest.getJobs();
    expect(ingests.map((job) => job.data)).toEqual([
      { provider: 'ECB', from: '2026-11-07', reason: 'schedule' },
    ]);
    expect(await g.queues.blend.getJobs()).toHaveLength(1);

    // One whose schedule is a moment behind finds the job done.
    g.work();
    await vi.waitFor(async () => expect(await g.queues.blend.getCompletedCount()).toBe(1));
    const [nightly] = await g.queues.blend.getJobs();
    expect(nightly?.id).toMatch(/^blend-nightly-\d{8}T\d{4}$/);
    await enqueueBlend(g.queues.blend, { from: '2026-11-06', to: '2026-11-22' }, nightly?.id);
    expect(await g.queues.blend.getJobs()).toHaveLength(1);
    await Promise.all(stops.map((stop) => stop()));
    expect(getTasks().size).toBe(0);
  });

  it('asks every provider at the start, spread out, an archive only until it is complete', async () => {
    await Promise.all([catchUp(g.plan, 60_000), catchUp(g.plan, 60_000)]);
    const jobs = await g.queues.ingest.getJobs();
    expect(jobs.map((job) => job.data.provider).sort()).toEqual(['BBK', 'BOC', 'ECB']);
    const delays = jobs.map((job) => job.delay);
    expect(new Set(delays).size).toBe(3);
    expect(Math.max(...delays)).toBeLessThan(60_000);

    await g.queues.ingest.obliterate({ force: true });
    await g.database.pool.query(
      `insert into providers (key, backfilled_to) values ('BBK', '1948-06-21'), ('ECB', '1999-01-04')
       on conflict (key) do update set backfilled_to = excluded.backfilled_to`,
    );
    await catchUp(g.plan, 0);
    const again = await g.queues.ingest.getJobs();
    expect(again.map((job) => job.data.provider).sort()).toEqual(['BOC', 'ECB']);
  });
});

describe('the hourly look', () => {
  let g: Ground;
  beforeEach(async () => {
    g = await ground(false);
  });
  afterEach(() => g?.close());

  /** The providers that are asked at an instant, where the last success of each began at the given one. */
  async function asked(at: string, successes: Record<string, string>): Promise<string[]> {
    await g.queues.ingest.obliterate({ force: true });
    await g.database.pool.query('truncate ingest_runs');
    g.feeds.clear();
    for (const [key, startedAt] of Object.entries(successes)) {
      g.feeds.set(key, stubFeed(g.stub.url, key));
      await g.database.pool.query(
        `insert into providers (key, backfilled_to) values ($1, '1900-01-01') on conflict do nothing`,
        [key],
      );
      await g.database.pool.query(
        `insert into ingest_runs (provider, reason, window_from, window_to, started_at, outcome)
         values ($1, 'schedule', '2026-11-01', '2026-11-02', $2, 'succeeded'),
           ($1, 'backfill', '2001-11-01', '2001-11-02', $3, 'succeeded')`,
        [key, startedAt, at],
      );
    }
    const now = new Date(at);
    // Two workers look, one of them a minute late.
    await sweep({ ...g.plan, clock: () => now }, now);
    await sweep({ ...g.plan, clock: () => new Date(now.getTime() + 60_000) }, now);
    const jobs = await g.queues.ingest.getJobs();
    expect(new Set(jobs.map((job) => job.data.reason)).size).toBeLessThanOrEqual(1);
    return jobs.map((job) => job.data.provider).sort();
  }

  it('asks on Saturday who was not asked at the last slot of Friday, and nobody else', async () => {
    // ECB: every half hour from 14:00 to 16:30, Monday to Friday.
    const saturday = '2026-11-21T09:37:00Z';
    expect(await asked(saturday, { ECB: '2026-11-20T14:00:20Z' })).toEqual(['ECB']);
    expect(await asked(saturday, { ECB: '2026-11-19T16:30:20Z' })).toEqual(['ECB']);
    expect(await asked(saturday, { ECB: '2026-11-20T16:30:20Z' })).toEqual([]);
    expect(await asked('2026-11-23T13:37:00Z', { ECB: '2026-11-20T16:30:20Z' })).toEqual([]);
    expect(await asked('2026-11-23T14:37:00Z', { ECB: '2026-11-20T16:30:20Z' })).toEqual(['ECB']);
  });

  it('asks again whose newest attempt failed', async () => {
    const saturday = '2026-11-21T09:37:00Z';
    expect(await asked(saturday, { ECB: '2026-11-20T16:30:20Z' })).toEqual([]);
    await g.database.pool.query(`update providers set last_error = 'down'`);
    expect(await asked(saturday, { ECB: '2026-11-20T16:30:20Z' })).toEqual(['ECB']);
  });

  it('knows the slots of weeks and months, and that an archive has none', async () => {
    // Mondays from 21:00 to 23:30.
    expect(await asked('2026-11-24T00:37:00Z', { [WEEKLY]: '2026-11-23T20:00:00Z' })).toEqual([WEEKLY]);
    expect(await asked('2026-11-29T12:37:00Z', { [WEEKLY]: '2026-11-23T23:30:10Z' })).toEqual([]);
    // From the first to the fifth of a month at 12:00.
    expect(await asked('2026-11-23T12:37:00Z', { [MONTHLY]: '2026-11-05T12:00:10Z' })).toEqual([]);
    expect(await asked('2026-12-01T12:37:00Z', { [MONTHLY]: '2026-11-05T12:00:10Z' })).toEqual([MONTHLY]);
    expect(await asked('2026-12-24T12:37:00Z', { [MONTHLY]: '2026-11-05T12:00:10Z' })).toEqual([MONTHLY]);
    expect(await asked('2026-12-24T12:37:00Z', { BBK: '2020-11-05T12:00:10Z' })).toEqual([]);
  });

  it('asks who gave rates only to an operator or to a backfill', async () => {
    await asked('2026-11-21T09:37:00Z', { ECB: '2026-11-20T16:30:20Z' });
    await g.database.pool.query(`update ingest_runs set reason = 'operator' where reason = 'schedule'`);
    const at = new Date('2026-11-21T10:37:00Z');
    await sweep({ ...g.plan, clock: () => at }, at);
    expect((await g.queues.ingest.getJobs()).map((job) => job.id)).toEqual([
      'ingest-ECB-catch-up-20261121T1037',
    ]);
  });
});

it('old runs are forgotten daily, unless all are to be kept', async () => {
  const g = await ground(false);
  try {
    await g.database.pool.query(`
      insert into providers (key) values ('ECB');
      insert into ingest_runs (provider, reason, window_from, started_at, outcome)
      select 'ECB', 'schedule', '2020-01-01', now() - number * interval '1 day', 'failed' from generate_series(1, 20) as number`);
    const plan = (runsKeepDays: number) => startSchedule({ ...g.plan, blend: g.queues.blend, runsKeepDays });
    const stopFirst = plan(0);
    expect([...getTasks().values()].map((task) => task.name)).not.toContain('pruning of runs');
    await stopFirst();
    const stops = [plan(10), plan(10)];
    const tasks = [...getTasks().values()].filter((task) => task.name === 'pruning of runs');
    await Promise.all(tasks.map((task) => task.execute()));
    expect((await runsOf(g, 'ECB')).length).toBe(9);
    await Promise.all(stops.map((stop) => stop()));
  } finally {
    await g.close();
  }
});

it('blends two weeks, and what is dated ahead, again at night', () => {
  expect(nightlyWindow(new Date('2026-11-20T03:17:00Z'))).toEqual({ from: '2026-11-06', to: '2026-11-22' });
});
