import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../core/domain/clock.js';
import { exceptProviders } from '../../../core/domain/providers.js';
import { readConfig } from '../../../core/process/config.js';
import { enqueueIngest, enqueueRecent } from '../../../core/queues/enqueue.js';
import { loadFeeds } from '../../../worker/feeds/registry.js';
import { catchUp, sweep } from '../../../worker/jobs/catch-up.js';
import { startJobs } from '../../../worker/jobs/start-jobs.js';
import { answer } from '../../support/http-stub.js';
import { openLog, readRows } from '../ingest/support.js';
import { backends, dailyRates, type Ground, ground, runsOf, stubFeed, TODAY } from './support.js';

const patiently = { timeout: 20_000, interval: 20 };

describe.each(backends)('a provider that is excepted, jobs on $name', ({ redis, missing }) => {
  let g: Ground;

  beforeEach(async (context) => {
    if (missing) context.skip(missing);
    g = await ground(redis);
    for (const key of ['BDL', 'ECB']) {
      g.feeds.set(key, stubFeed(g.stub.url, key));
      g.stub.route(`/${key}`, (request, response) => answer(dailyRates(request))(request, response));
    }
  });
  afterEach(async () => {
    exceptProviders([]);
    await g?.close();
  });

  it('is not planned, neither at a start nor by the hourly look', async () => {
    exceptProviders(['BDL']);
    expect((await loadFeeds()).has('BDL')).toBe(false);
    await catchUp(g.plan, 0);
    await sweep(g.plan, new Date(`${TODAY}T21:37:00Z`));
    const jobs = await g.queues.ingest.getJobs();
    expect(new Set(jobs.map((job) => job.data.provider))).toEqual(new Set(['ECB']));
  });

  it('is not asked by a job from before, which says why', async () => {
    await enqueueRecent(
      g.queues.ingest,
      { provider: 'BDL', from: TODAY, reason: 'schedule' },
      { id: 'slot' },
    );
    const ids = [
      await enqueueIngest(g.queues.ingest, { provider: 'BDL', from: TODAY, to: TODAY }),
      await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: TODAY, to: TODAY }),
    ];
    exceptProviders(['BDL']);
    g.work();
    await vi.waitFor(async () => {
      expect(await g.queues.ingest.getFailed()).toHaveLength(2);
      expect(await g.queues.ingest.getCompleted()).toHaveLength(1);
    }, patiently);
    const [refused, done] = await Promise.all(ids.map((id) => g.queues.ingest.getJob(id)));
    expect(refused).toMatchObject({ attemptsMade: 1, failedReason: 'PROVIDERS_EXCEPT leaves BDL out' });
    expect(done?.failedReason).toBeUndefined();
    expect(g.stub.requests.map(({ path }) => path)).toEqual(['/ECB']);
    expect(await runsOf(g, 'BDL')).toEqual([]);
  });

  it('by another worker since makes this one take no more jobs', async () => {
    const { log, lines } = openLog();
    const observer = { outdated: vi.fn(), jobStarted: vi.fn(), jobEnded: vi.fn() };
    const config = readConfig({ SCHEDULE: 'off', DATABASE_URL: g.database.url });
    const worker = await startJobs({ ...g, config, clock: systemClock, log, observer });
    try {
      const window = { provider: 'ECB', from: TODAY, to: TODAY };
      const first = await enqueueIngest(g.queues.ingest, window);
      const stateOf = async (id: string) => (await g.queues.ingest.getJob(id))?.getState();
      await vi.waitFor(async () => expect(await stateOf(first)).toBe('completed'), patiently);
      await g.database.pool.query("update data_versions set excepted = 'BDL'");
      const id = await enqueueIngest(g.queues.ingest, window);
      await vi.waitFor(() => expect(observer.outdated).toHaveBeenCalledOnce(), patiently);
      await vi.waitFor(async () => expect(['waiting', 'delayed']).toContain(await stateOf(id)), patiently);
      expect(lines).toContainEqual(
        expect.objectContaining({
          level: 50,
          msg: 'this worker takes no more jobs',
          reason: expect.stringContaining('blended with PROVIDERS_EXCEPT=BDL'),
        }),
      );
      expect(await readRows(g.database, 'select excepted from data_versions')).toEqual([['BDL']]);
    } finally {
      await worker.close();
    }
  });
});
