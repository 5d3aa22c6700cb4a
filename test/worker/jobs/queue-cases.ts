import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getTasks } from 'node-cron';
import { expect, it, vi } from 'vitest';
import { BLEND_METHOD } from '../../../core/domain/providers.js';
import { enqueueBlend, enqueueIngest, enqueueRecent } from '../../../core/queues/enqueue.js';
import { openWorkerHealth } from '../../../worker/health.js';
import { startSchedule } from '../../../worker/jobs/start-jobs.js';
import { answer } from '../../support/http-stub.js';
import { openLog, readLines } from '../ingest/support.js';
import { dailyRates, patiently, runsOf, sharedGround, succeeded, TODAY } from './support.js';

/** What workers do with jobs, where it depends on the store of the queues. */
export async function queueCases(redis: boolean): Promise<void> {
  const g = await sharedGround(redis);
  const { ingest, blend } = g.queues;
  const recent = { provider: 'ECB', from: '2026-11-16', reason: 'schedule' } as const;

  it('do once what is scheduled twice', async () => {
    g.bank('ECB');
    await Promise.all([1, 2, 3].map(() => enqueueRecent(ingest, recent, { id: 'slot' })));
    await enqueueRecent(ingest, recent, { id: 'next-slot' });
    g.work();
    g.work();
    await g.idle();
    await enqueueRecent(ingest, recent, { id: 'slot' });
    await g.idle();
    expect(await runsOf(g, 'ECB')).toMatchObject([{ outcome: 'succeeded', rowsNew: 5, reason: 'schedule' }]);
    expect(g.stub.requests).toHaveLength(1);
    await enqueueRecent(ingest, recent, { id: 'later-slot' });
    await vi.waitFor(async () => expect(await succeeded(g, 'ECB')).toHaveLength(2), patiently);
    expect(await runsOf(g, 'ECB')).toMatchObject([{}, { rowsNew: 0, rowsUnchanged: 5 }]);
  });

  it('ask one provider once at a time, and different ones side by side', async () => {
    let [atOnce, most] = [0, 0];
    for (const key of ['ECB', 'BOC', 'NBU']) g.bank(key);
    g.stub.route('/ECB', async (request, response) => {
      most = Math.max(most, ++atOnce);
      await delay(50);
      atOnce--;
      answer(dailyRates(request))(request, response);
    });
    const hanging: ServerResponse[] = [];
    g.stub.route('/NBU', (_, response) => void hanging.push(response));
    await enqueueIngest(ingest, { provider: 'NBU', from: '2026-11-16' });
    for (const from of ['2026-11-10', '2026-11-11', '2026-11-12'])
      await enqueueIngest(ingest, { provider: 'ECB', from, to: TODAY });
    await enqueueIngest(ingest, { provider: 'BOC', from: '2026-11-16' });
    g.work();
    g.work();
    await vi.waitFor(async () => {
      expect([...(await succeeded(g, 'ECB')), ...(await succeeded(g, 'BOC'))]).toHaveLength(4);
      // A job ends only after its run.
      expect(await ingest.getCompletedCount()).toBe(4);
    }, patiently);
    expect(most).toBe(1);
    expect(await runsOf(g, 'ECB')).toHaveLength(3);
    // Being put off cost none of them an attempt.
    const jobs = await ingest.getJobs(['completed']);
    expect(jobs.map(({ failedReason }) => failedReason).filter(Boolean)).toEqual([]);
    for (const response of hanging) response.destroy();
  });

  it('make one job of a slot that several of them plan', async () => {
    for (const key of ['BBK', 'BOC', 'ECB']) g.bank(key);
    g.bank('FRED', { credentials: ['FRED_API_KEY'] });
    const stops = [1, 2].map(() => startSchedule(g.plan));
    const tasks = [...getTasks().values()];
    // An archive has no schedule, and a source without its key is not asked.
    const names = ['BOC', 'ECB', 'hourly sweep', 'jobs of operators', 'nightly blend', 'pruning of runs'];
    names.push('retry of what is set aside');
    expect(tasks.map(({ name }) => name).sort()).toEqual(names.flatMap((name) => [name, name]));
    const due = tasks.filter(({ name }) => name === 'ECB' || name === 'nightly blend');
    await Promise.all(due.map((task) => task.execute()));
    const data = { provider: 'ECB', from: '2026-11-07', reason: 'schedule' };
    expect((await ingest.getJobs()).map((job) => job.data)).toEqual([data]);
    const nightly = await blend.getJobs();
    expect(nightly.map(({ id }) => id)).toEqual([expect.stringMatching(/^blend-nightly-\d{8}T\d{4}$/)]);
    // One whose schedule is a moment behind finds the job done.
    g.work();
    await vi.waitFor(async () => expect(await blend.getCompletedCount()).toBe(1), patiently);
    await enqueueBlend(blend, { window: { from: '2026-11-06', to: '2026-11-22' } }, nightly[0]?.id);
    expect(await blend.getJobs()).toHaveLength(1);
    await Promise.all(stops.map((stop) => stop()));
    expect(getTasks().size).toBe(0);
  });

  it('are stuck once jobs have waited for an hour in which none began or ended', async () => {
    const { log, lines } = openLog();
    const health = await openWorkerHealth({ port: undefined, host: '', database: g.database, log });
    const [ingests, blends] = [new EventEmitter(), new EventEmitter()];
    health.observe('ingest', ingests);
    health.observe('blend', blends);
    const onEnded = vi.fn();
    void health.ended.then(onEnded);
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute++) await health.lookAt(g.queues);
    };
    // It counts from the newest job that began or ended, or the first that waits, while the queue is not paused.
    await minutes(100);
    await enqueueBlend(blend, { window: null });
    await minutes(60);
    blends.emit('active');
    await minutes(60);
    blends.emit('failed');
    await minutes(60);
    await blend.pause();
    await minutes(1);
    await blend.resume();
    await minutes(60);
    ingests.emit('active');
    expect([onEnded.mock.calls, lines]).toEqual([[], []]);
    await minutes(2);
    expect(onEnded.mock.calls).toEqual([[1]]);
    expect(lines).toMatchObject([{ msg: 'this worker is stuck and exits, to be restarted' }]);
  });

  it('of an older method than the blends take no more jobs, and hand theirs back for newer ones', async () => {
    const setMethod = (method: number) =>
      g.database.pool.query('update data_versions set method = $1', [method]);
    g.bank('ECB');
    await enqueueIngest(ingest, { provider: 'ECB', from: '2026-11-16', to: TODAY });
    const { health, lines } = await g.start();
    await g.idle();
    expect(health.outdated).not.toHaveBeenCalled();
    await setMethod(BLEND_METHOD + 1);
    const ids = [
      await enqueueIngest(ingest, { provider: 'ECB', from: TODAY, to: TODAY }),
      await enqueueBlend(blend, { window: { from: '2026-03-01', to: '2026-03-03' } }),
      await enqueueBlend(blend, { window: null }),
    ];
    await vi.waitFor(() => expect(health.outdated).toHaveBeenCalledOnce(), patiently);
    const reason = expect.stringContaining('start a newer version');
    const line = { level: 50, msg: 'this worker accepts no more jobs', reason };
    expect(lines).toContainEqual(expect.objectContaining(line));
    const jobs = () =>
      Promise.all(ids.map(async (id) => (await ingest.getJob(id)) ?? (await blend.getJob(id))));
    const states = async () => Promise.all((await jobs()).map((job) => job?.getState()));
    await vi.waitFor(async () => expect(await states()).not.toContain('active'), patiently);
    for (const state of await states()) expect(['waiting', 'delayed']).toContain(state);
    expect((await jobs()).map((job) => job?.attemptsMade)).toEqual([0, 0, 0]);
    expect(await readLines(g.database, 'select distinct last_error from providers')).toEqual(['null']);

    await setMethod(BLEND_METHOD);
    const newer = await g.start();
    for (const job of await jobs()) if ((await job?.getState()) === 'delayed') await job?.promote();
    const done = ['completed', 'completed', 'completed'];
    await vi.waitFor(async () => expect(await states()).toEqual(done), patiently);
    expect((await jobs()).map((job) => job?.attemptsMade)).toEqual([1, 1, 1]);
    for (const queue of ['ingest', 'blend'])
      expect(newer.health.observe).toHaveBeenCalledWith(queue, expect.any(EventEmitter));
  });
}
