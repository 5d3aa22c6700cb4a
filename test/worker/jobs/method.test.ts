import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { systemClock } from '../../../core/domain/clock.js';
import { readConfig } from '../../../core/process/config.js';
import { enqueueBlend, enqueueIngest, enqueueRenewal } from '../../../core/queues/enqueue.js';
import { startJobs } from '../../../worker/jobs/start-jobs.js';
import { answer } from '../../support/http-stub.js';
import { emptyTables, feedOf, ingestFrom, openLog, readRows } from '../ingest/support.js';
import { backends, dailyRates, type Ground, ground, stubFeed, TODAY } from './support.js';

const patiently = { timeout: 20_000, interval: 20 };

describe.each(backends)('the method of the blends, jobs on $name', ({ redis, missing }) => {
  let g: Ground;
  const workers: { close(): Promise<void> }[] = [];

  beforeEach(async (context) => {
    if (missing) context.skip(missing);
    g = await ground(redis);
    g.feeds.set('ECB', stubFeed(g.stub.url, 'ECB'));
    g.stub.route('/ECB', (request, response) => answer(dailyRates(request))(request, response));
    const rows = [{ date: '2026-03-02', base: 'EUR', quote: 'USD', rate: 1.1 }];
    await emptyTables(g.database);
    await ingestFrom(g.database, feedOf('BOC', rows));
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await g?.close();
  });

  /** A worker as its program starts it, and what it says of itself. */
  async function start() {
    const { log, lines } = openLog();
    const observer = { outdated: vi.fn(), jobStarted: vi.fn(), jobEnded: vi.fn() };
    const config = readConfig({ SCHEDULE: 'off', DATABASE_URL: g.database.url });
    workers.push(await startJobs({ ...g, config, clock: systemClock, log, observer }));
    return { observer, lines };
  }

  const setMethod = (method: number) =>
    g.database.pool.query('update data_versions set method = $1', [method]);
  const methods = async () =>
    (await readRows(g.database, 'select method from data_versions order by version')).flat();

  it('is renewed by one job of all workers that start', async () => {
    await setMethod(BLEND_METHOD - 1);
    const started = await Promise.all([start(), start(), start()]);
    await vi.waitFor(
      async () => expect(await methods()).toEqual([BLEND_METHOD - 1, BLEND_METHOD]),
      patiently,
    );
    await vi.waitFor(async () => expect(await g.queues.blend.getCompleted()).toHaveLength(1), patiently);
    expect(await g.queues.blend.getJobs()).toHaveLength(1);
    expect(started[0]?.lines).toContainEqual(
      expect.objectContaining({
        msg: 'all history will be blended again by a newer method',
        method: BLEND_METHOD,
      }),
    );
    // A worker that starts later has nothing to ask for, unless an older database was restored.
    await start();
    expect(await methods()).toHaveLength(2);
    await setMethod(BLEND_METHOD - 1);
    await start();
    await vi.waitFor(async () => expect((await methods()).at(-1)).toBe(BLEND_METHOD), patiently);
  });

  it('that is older than that of the blends hands all jobs back, for newer workers', async () => {
    const { observer, lines } = await start();
    expect(observer.outdated).not.toHaveBeenCalled();
    // A newer worker has renewed the blends.
    await setMethod(BLEND_METHOD + 1);
    const ids = [
      await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: TODAY, to: TODAY }),
      await enqueueBlend(g.queues.blend, { from: '2026-03-01', to: '2026-03-03' }),
      await enqueueBlend(g.queues.blend, null),
    ];
    await vi.waitFor(() => expect(observer.outdated).toHaveBeenCalledOnce(), patiently);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'this worker takes no more jobs',
        reason: expect.stringContaining('start a newer version'),
      }),
    );
    const jobs = async () =>
      Promise.all(
        ids.map(async (id) => (await g.queues.ingest.getJob(id)) ?? (await g.queues.blend.getJob(id))),
      );
    const states = async () => Promise.all((await jobs()).map((job) => job?.getState()));
    await vi.waitFor(async () => expect(await states()).not.toContain('active'), patiently);
    for (const state of await states()) expect(['waiting', 'delayed']).toContain(state);
    expect((await jobs()).map((job) => job?.attemptsMade)).toEqual([0, 0, 0]);
    expect(await readRows(g.database, 'select distinct last_error from providers')).toEqual([[null]]);
    expect(await methods()).toEqual([BLEND_METHOD + 1]);

    await setMethod(BLEND_METHOD);
    const newer = await start();
    for (const job of await jobs()) if ((await job?.getState()) === 'delayed') await job?.promote();
    await vi.waitFor(
      async () => expect(await states()).toEqual(['completed', 'completed', 'completed']),
      patiently,
    );
    expect((await jobs()).map((job) => job?.attemptsMade)).toEqual([1, 1, 1]);
    for (const [queue, id] of [
      ['ingest', ids[0]],
      ['blend', ids[1]],
    ]) {
      expect(newer.observer.jobStarted).toHaveBeenCalledWith(queue);
      const ended = { queue, id, outcome: 'completed', seconds: expect.any(Number) };
      await vi.waitFor(() => expect(newer.observer.jobEnded).toHaveBeenCalledWith(ended), patiently);
    }
  });

  it('of a worker that starts is told at once where it is older, and the renewal is left to a newer one', async () => {
    await setMethod(BLEND_METHOD + 1);
    const id = await enqueueRenewal(g.queues.blend, BLEND_METHOD + 1);
    const { observer } = await start();
    expect(observer.outdated).toHaveBeenCalledOnce();
    const job = await g.queues.blend.getJob(id);
    const isHandedBack = async () => expect(['waiting', 'delayed']).toContain(await job?.getState());
    await vi.waitFor(isHandedBack, patiently);
    // One that was at work when the other asked for it does not take it for done either.
    await setMethod(BLEND_METHOD);
    const other = await start();
    await vi.waitFor(async () => {
      if ((await job?.getState()) === 'delayed') await job?.promote();
      expect(other.observer.outdated).toHaveBeenCalledOnce();
    }, patiently);
    await vi.waitFor(isHandedBack, patiently);
    expect((await g.queues.blend.getJob(id))?.attemptsMade).toBe(0);
  });
});
