import { UnrecoverableError } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  enqueueBackfill,
  enqueueBlend,
  enqueueDecision,
  enqueueIngest,
  enqueueRecent,
  enqueueRenewal,
  share,
} from '../../../core/queues/enqueue.js';
import { openWorker } from '../../../core/queues/queues.js';
import { log } from '../../src/operations/support.js';
import { backends, type Ground, ground } from '../../worker/jobs/support.js';

const WINDOW = { from: '2026-01-01', to: '2026-01-31' };

describe.each(backends)('jobs on $name', ({ redis, missing }) => {
  let g: Ground;
  beforeAll(async () => {
    if (!missing) g = await ground(redis);
  });
  beforeEach(async (context) => {
    if (missing) context.skip(missing);
    await g.queues.ingest.obliterate({ force: true });
    await g.queues.blend.obliterate({ force: true });
  });
  afterAll(() => g?.close());

  const recent = (slot: string, reason: 'schedule' | 'catch-up' = 'schedule') =>
    enqueueRecent(
      g.queues.ingest,
      { provider: 'ECB', from: '2026-01-01', reason },
      { id: slot, delay: 50_000 },
    );
  const ids = async () => (await g.queues.ingest.getJobs()).map(({ id }) => id);

  it('for the newest rates are added once while one waits, of whichever slot', async () => {
    await recent('1');
    await recent('1');
    await recent('2', 'catch-up');
    expect(await ids()).toEqual(['ingest-ECB-schedule-1']);
    const [job] = await g.queues.ingest.getJobs();
    expect(job?.opts).toMatchObject({ attempts: 100, delay: 50_000 });
    expect(job?.name).toBe('recent');
    expect(job?.opts.priority ?? 0).toBe(0);
    await job?.remove();
    await recent('2', 'catch-up');
    expect(await ids()).toEqual(['ingest-ECB-catch-up-2']);
  });

  it('of a backfill are one for each step, behind all others', async () => {
    await enqueueBackfill(g.queues.ingest, 'ECB', WINDOW);
    await enqueueBackfill(g.queues.ingest, 'ECB', WINDOW);
    await enqueueBackfill(g.queues.ingest, 'ECB', { from: '2025-12-01', to: '2025-12-31' });
    await enqueueBackfill(g.queues.ingest, 'BOC', WINDOW);
    const jobs = await g.queues.ingest.getJobs();
    expect(jobs.map(({ data }) => `${data.provider} ${data.to} ${data.reason}`).sort()).toEqual([
      'BOC 2026-01-31 backfill',
      'ECB 2025-12-31 backfill',
      'ECB 2026-01-31 backfill',
    ]);
    for (const { name, opts } of jobs) {
      expect(opts).toMatchObject({ attempts: 100, priority: 10 });
      expect(name).toBe('backfill');
    }
  });

  it('of operators are the same one while it waits, and have few attempts', async () => {
    const job = { provider: 'ECB', ...WINDOW };
    const first = await enqueueIngest(g.queues.ingest, job);
    expect(await enqueueIngest(g.queues.ingest, job)).toBe(first);
    const open = await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: WINDOW.from });
    expect(open).toMatch(/^ingest-ECB-operator-2026-01-01-now-[0-9a-f]{8}$/);
    expect(first).toMatch(/^ingest-ECB-operator-2026-01-01-2026-01-31-[0-9a-f]{8}$/);
    const { name, data, opts } = (await g.queues.ingest.getJob(first)) ?? {};
    expect([name, data, opts?.attempts]).toEqual(['operator', { ...job, reason: 'operator' }, 5]);
    expect(await enqueueIngest(g.queues.ingest, { provider: 'BOC', ...WINDOW }, 'given')).toBe('given');
  });

  it('of blends, decisions and methods have keys of their own', async () => {
    const { blend } = g.queues;
    const everything = await enqueueBlend(blend, null);
    expect(await enqueueBlend(blend, null)).toBe(everything);
    expect(everything).toMatch(/^blend-everything-/);
    const window = await enqueueBlend(blend, WINDOW);
    expect(window).toMatch(/^blend-2026-01-01-2026-01-31-/);
    expect(await enqueueBlend(blend, { ...WINDOW, from: '2026-01-02' }, 'other')).toBe('other');
    const { name, data, opts } = (await blend.getJob(window)) ?? {};
    expect([name, data, opts?.attempts]).toEqual(['blend', { window: WINDOW }, 5]);
    const decision = { act: '1', suspect: '1', status: 'accepted', operator: 'x' } as const;
    const decided = await enqueueDecision(blend, decision);
    expect(await enqueueDecision(blend, decision)).toBe(decided);
    expect(await enqueueDecision(blend, { ...decision, act: '2' }, 'given')).toBe('given');
    expect(await blend.getJob(decided)).toMatchObject({
      name: 'blend',
      data: { decision },
      opts: { attempts: 100 },
    });
    expect(await enqueueRenewal(blend, 3)).toBe('blend-method-3');
    await enqueueRenewal(blend, 3);
    const renewal = { name: 'blend', data: { method: 3 }, opts: { attempts: 100 } };
    expect(await blend.getJob('blend-method-3')).toMatchObject(renewal);
    expect(await blend.getJobs()).toHaveLength(6);
  });

  it('are added again once they are finished, unless their id is known', async () => {
    const { blend } = g.queues;
    const [once, renewed] = [await enqueueBlend(blend, WINDOW, 'nightly'), await enqueueRenewal(blend, 3)];
    const failed = await enqueueBlend(blend, null);
    const work = async ({ id }: { id?: string }) => {
      if (id === failed) throw new UnrecoverableError('for good');
      return {} as never;
    };
    const worker = openWorker('blend', g.store, work, { log, concurrency: 1 });
    try {
      await expect.poll(() => blend.getJobCounts()).toMatchObject({ completed: 2, failed: 1 });
    } finally {
      await worker.close();
    }
    const again = await enqueueBlend(blend, null);
    expect(again).not.toBe(failed);
    await (await blend.getJob(again))?.remove();
    expect(await enqueueBlend(blend, null)).not.toBe(again);
    expect(await enqueueBlend(blend, WINDOW, once)).toBe('nightly');
    expect(await blend.getJobState('nightly')).toBe('completed');
    expect(await enqueueBlend(blend, WINDOW)).not.toBe('nightly');
    expect(await enqueueRenewal(blend, 3)).toBe(renewed);
    expect(await blend.getJobState(renewed)).not.toBe('completed');
  });
});

it('a text has always the same share of a span', () => {
  expect(share('ECB')).toBe(share('ECB'));
  const shares = Array.from({ length: 1_000 }, (_, index) => share(String(index)));
  for (const one of shares) expect(one >= 0 && one < 1).toBe(true);
  expect(shares.filter((one) => one < 0.5).length).toBeGreaterThan(400);
  expect(shares.filter((one) => one < 0.5).length).toBeLessThan(600);
});
