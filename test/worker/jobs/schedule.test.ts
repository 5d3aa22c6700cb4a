import { getTasks } from 'node-cron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catchUp } from '../../../worker/jobs/catch-up.js';
import { nightlyWindow, startSchedule } from '../../../worker/jobs/schedule.js';
import { backends, type Ground, ground, stubFeed } from './support.js';

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
    const stops = [1, 2].map(() => startSchedule({ ...g.plan, blend: g.queues.blend }));
    const tasks = [...getTasks().values()];
    // An archive has no schedule, and who lacks a key is not asked.
    expect(new Set(tasks.map((task) => task.name))).toEqual(
      new Set(['BOC', 'ECB', 'hourly look', 'nightly blend']),
    );
    expect(tasks).toHaveLength(8);
    await Promise.all(tasks.filter((task) => task.name === 'ECB').map((task) => task.execute()));
    await Promise.all(tasks.filter((task) => task.name === 'nightly blend').map((task) => task.execute()));
    const ingests = await g.queues.ingest.getJobs();
    expect(ingests.map((job) => job.data)).toEqual([
      { provider: 'ECB', from: '2026-11-07', reason: 'schedule' },
    ]);
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

it('blends two weeks, and what is dated ahead, again at night', () => {
  expect(nightlyWindow(new Date('2026-11-20T03:17:00Z'))).toEqual({ from: '2026-11-06', to: '2026-11-22' });
});
