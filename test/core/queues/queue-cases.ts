import type { EventEmitter } from 'node:events';
import { UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { enqueueBlend, enqueueIngest, enqueuePast, enqueueRecent } from '../../../core/queues/enqueue.js';
import {
  closeWorker,
  openQueues,
  openWorker,
  type QueueStore,
  type Queues,
} from '../../../core/queues/queues.js';
import { openLog } from '../../worker/ingest/support.js';

const WINDOW = { from: '2026-01-01', to: '2026-01-31' };
const { log } = openLog();

/** What holds of queues wherever they are. */
export function queueCases(open: () => Promise<QueueStore>): void {
  let store: QueueStore;
  let queues: Queues;
  beforeAll(async () => {
    store = await open();
    queues = await openQueues(store, { log });
  });
  beforeEach(async () => {
    await queues.ingest.obliterate({ force: true });
    await queues.blend.obliterate({ force: true });
  });
  afterAll(() => queues?.close());

  const recent = (slot: string, reason: 'schedule' | 'catch-up' = 'schedule') =>
    enqueueRecent(queues.ingest, { provider: 'ECB', from: WINDOW.from, reason }, { id: slot, delay: 50_000 });
  const ids = async () => (await queues.ingest.getJobs()).map(({ id }) => id);
  const work = async () => ({});

  it('a job for the newest rates is added once while one waits, of whichever slot', async () => {
    await recent('1');
    await recent('1');
    await recent('2', 'catch-up');
    expect(await ids()).toEqual(['ingest-ECB-schedule-1']);
    const [job] = await queues.ingest.getJobs();
    expect(job).toMatchObject({ name: 'recent', opts: { attempts: 100, delay: 50_000 } });
    expect(job?.opts.priority ?? 0).toBe(0);
    await job?.remove();
    await recent('2', 'catch-up');
    expect(await ids()).toEqual(['ingest-ECB-catch-up-2']);
  });

  it('jobs of a backfill are one for each step, behind all others', async () => {
    const enqueue = (provider: string, window = WINDOW) =>
      enqueuePast(queues.ingest, { provider, ...window, reason: 'backfill' });
    for (let again = 0; again < 2; again++) await enqueue('ECB');
    await enqueue('ECB', { from: '2025-12-01', to: '2025-12-31' });
    await enqueue('BOC');
    const jobs = await queues.ingest.getJobs();
    expect(jobs.map(({ data }) => `${data.provider} ${data.to} ${data.reason}`).sort()).toEqual([
      'BOC 2026-01-31 backfill',
      'ECB 2025-12-31 backfill',
      'ECB 2026-01-31 backfill',
    ]);
    for (const job of jobs)
      expect(job).toMatchObject({ name: 'backfill', opts: { attempts: 100, priority: 10 } });
  });

  it('jobs of operators are the same one while it waits, and have few attempts', async () => {
    const wanted = { provider: 'ECB', ...WINDOW };
    const first = await enqueueIngest(queues.ingest, wanted);
    expect(await enqueueIngest(queues.ingest, wanted)).toBe(first);
    const open = await enqueueIngest(queues.ingest, { provider: 'ECB', from: WINDOW.from });
    expect(open).toMatch(/^ingest-ECB-operator-2026-01-01-now-[0-9a-f]{8}$/);
    expect(first).toMatch(/^ingest-ECB-operator-2026-01-01-2026-01-31-[0-9a-f]{8}$/);
    const { name, data, opts } = (await queues.ingest.getJob(first)) ?? {};
    expect([name, data, opts?.attempts]).toEqual(['operator', { ...wanted, reason: 'operator' }, 5]);
    expect(await enqueueIngest(queues.ingest, { ...wanted, provider: 'BOC' }, 'given')).toBe('given');
  });

  it('jobs of blends and decisions have keys of their own', async () => {
    const { blend } = queues;
    const everything = await enqueueBlend(blend, { window: null });
    expect(await enqueueBlend(blend, { window: null })).toBe(everything);
    expect(everything).toMatch(/^blend-everything-/);
    const window = await enqueueBlend(blend, { window: WINDOW });
    expect(window).toMatch(/^blend-2026-01-01-2026-01-31-/);
    expect(await enqueueBlend(blend, { window: { ...WINDOW, from: '2026-01-02' } }, 'other')).toBe('other');
    const { name, data, opts } = (await blend.getJob(window)) ?? {};
    expect([name, data, opts?.attempts]).toEqual(['blend', { window: WINDOW }, 5]);
    const decision = { act: '1', suspect: '1', status: 'accepted', operator: 'x' } as const;
    const decided = await enqueueBlend(blend, { decision });
    expect(await enqueueBlend(blend, { decision })).toBe(decided);
    expect(await enqueueBlend(blend, { decision: { ...decision, act: '2' } }, 'given')).toBe('given');
    const patient = { name: 'blend', opts: { attempts: 100 } };
    expect(await blend.getJob(decided)).toMatchObject({ ...patient, data: { decision } });
    expect(await blend.getJobs()).toHaveLength(5);
  });

  it('jobs are added again once they are finished, unless their id is known', async () => {
    const { blend } = queues;
    const once = await enqueueBlend(blend, { window: WINDOW }, 'nightly');
    const failed = await enqueueBlend(blend, { window: null });
    const failOne = async ({ id }: { id?: string }) => {
      if (id === failed) throw new UnrecoverableError('for good');
      return {} as never;
    };
    const worker = openWorker('blend', store, failOne, { log, concurrency: 1 });
    try {
      await expect.poll(() => blend.getJobCounts()).toMatchObject({ completed: 1, failed: 1 });
    } finally {
      await worker.close();
    }
    const again = await enqueueBlend(blend, { window: null });
    expect(again).not.toBe(failed);
    await (await blend.getJob(again))?.remove();
    expect(await enqueueBlend(blend, { window: null })).not.toBe(again);
    expect(await enqueueBlend(blend, { window: WINDOW }, once)).toBe('nightly');
    expect(await blend.getJobState('nightly')).toBe('completed');
    expect(await enqueueBlend(blend, { window: WINDOW })).not.toBe('nightly');
  });

  it('jobs that are done are kept for days, with little of what went wrong', async () => {
    await queues.blend.add('blend', { window: null });
    const [job] = await queues.blend.getJobs();
    const day = 86_400;
    expect(job?.opts).toMatchObject({
      backoff: { type: 'growing' },
      removeOnComplete: { age: 3 * day, count: 5_000 },
      removeOnFail: { age: 14 * day, count: 5_000 },
      stackTraceLimit: 3,
    });
  });

  it('a queue that loses its server, and gets it back, says so once each', async () => {
    const { log, lines } = openLog();
    const own = await openQueues(store, { log });
    const worker = openWorker('blend', store, work, { log, concurrency: 1 });
    const logged = () => lines.splice(0).map(({ msg }) => msg);
    try {
      await worker.waitUntilReady();
      expect(logged()).toEqual([]);
      for (const [name, emitter] of [
        ['ingest', own.ingest],
        ['blend', worker],
      ] as const) {
        for (let again = 0; again < 2; again++) (emitter as EventEmitter).emit('error', new Error('x'));
        expect(logged()).toEqual([`queue ${name} can't be reached`]);
        (emitter.backend as unknown as EventEmitter).emit('ready');
        expect(logged()).toEqual([`queue ${name} can be reached again`]);
      }
      // A worker that is given jobs has its server.
      worker.emit('error', new Error('x'));
      await own.blend.add('blend', { window: null });
      await vi.waitFor(() => expect(lines).toHaveLength(2));
      expect(logged()).toEqual(["queue blend can't be reached", 'queue blend can be reached again']);
    } finally {
      await closeWorker(worker);
      await own.close();
    }
    for (const { closing } of [own.ingest, own.blend]) expect(closing).toBeDefined();
  });

  it('queues give up what hangs, and workers only much later or never', async () => {
    const worker = openWorker('blend', store, work, { log, concurrency: 1 });
    const common = { keepAlive: true, connectionTimeoutMillis: 5_000 };
    const [adding, working] = store.redisUrl
      ? [
          { maxRetriesPerRequest: 1, commandTimeout: 5_000 },
          { maxRetriesPerRequest: null, commandTimeout: undefined },
        ]
      : [
          { ...common, statement: '10s', query_timeout: 10_000, max: 2 },
          { ...common, statement: '1min', query_timeout: undefined, max: 4 },
        ];
    try {
      expect(await limitsOf(queues.blend.backend)).toEqual(adding);
      expect(await limitsOf(worker.backend)).toEqual(working);
    } finally {
      await closeWorker(worker);
    }
  });

  it('queues take writes, and need no other server', async () => {
    await expect(queues.tryWrite()).resolves.toBeUndefined();
    const nowhere = store.redisUrl ? { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' } : {};
    await (await openQueues({ ...store, ...nowhere }, { log })).close();
  });
}

/** The options of a connection, and the limit that the server itself has. */
async function limitsOf(backend: unknown): Promise<object> {
  const { connection } = backend as { connection: { pool?: pg.Pool; client: Promise<Redis> } };
  if (!connection.pool) {
    const { maxRetriesPerRequest, commandTimeout } = (await connection.client).options;
    return { maxRetriesPerRequest, commandTimeout };
  }
  const { rows } = await connection.pool.query(`select current_setting('statement_timeout') as statement`);
  const { keepAlive, connectionTimeoutMillis, query_timeout, max } = connection.pool.options;
  return { keepAlive, connectionTimeoutMillis, query_timeout, max, ...rows[0] };
}
