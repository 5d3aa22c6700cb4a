import type { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeWorker, openQueues, openWorker } from '../../../core/queues/queues.js';
import { testDatabase } from '../../support/postgres.js';
import { openLog } from '../../worker/ingest/support.js';
import { backends, type Ground, ground } from '../../worker/jobs/support.js';

describe.each(backends)('queues on $name', ({ redis, missing }) => {
  let g: Ground;
  beforeAll(async () => {
    if (!missing) g = await ground(redis);
  });
  afterAll(() => g?.close());
  const test = it.skipIf(missing);

  test('keep jobs that are done for days, with little of what went wrong', async () => {
    const { log } = openLog();
    const queues = await openQueues(g.store, { log });
    try {
      await queues.blend.add('blend', { window: null });
      const [job] = await queues.blend.getJobs();
      const day = 86_400;
      expect(job?.opts).toMatchObject({
        backoff: { type: 'growing' },
        removeOnComplete: { age: 3 * day, count: 5_000 },
        removeOnFail: { age: 14 * day, count: 5_000 },
        stackTraceLimit: 3,
      });
      await job?.remove();
    } finally {
      await queues.close();
    }
    for (const { closing } of [queues.ingest, queues.blend]) expect(closing).toBeDefined();
  });

  test('say which of them lost its server and got it back, once each', async () => {
    const { log, lines } = openLog();
    const queues = await openQueues(g.store, { log });
    const worker = openWorker('blend', g.store, async () => ({}), { log, concurrency: 1 });
    try {
      await worker.waitUntilReady();
      expect(lines).toEqual([]);
      const told = () => lines.splice(0).map(({ msg }) => msg);
      for (const [name, { backend, ...lost }] of [
        [
          'ingest',
          { backend: queues.ingest.backend, emit: () => queues.ingest.emit('error', new Error('x')) },
        ],
        ['blend', { backend: worker.backend, emit: () => worker.emit('error', new Error('x')) }],
      ] as const) {
        for (let again = 0; again < 2; again++) lost.emit();
        expect(told()).toEqual([`queue ${name} can't be reached`]);
        (backend as unknown as EventEmitter).emit('ready');
        expect(told()).toEqual([`queue ${name} can be reached again`]);
      }
      // A worker that is given jobs has its server.
      worker.emit('error', new Error('x'));
      await queues.blend.add('blend', { window: null });
      await vi.waitFor(() => expect(lines).toHaveLength(2));
      expect(told()).toEqual(["queue blend can't be reached", 'queue blend can be reached again']);
    } finally {
      await closeWorker(worker);
      await queues.close();
    }
  });

  test('give up what hangs, and workers only much later or never', async () => {
    const { log } = openLog();
    const worker = openWorker('blend', g.store, async () => ({}), { log, concurrency: 1 });
    const common = { keepAlive: true, connectionTimeoutMillis: 5_000 };
    const [adding, working] = redis
      ? [
          { maxRetriesPerRequest: 1, commandTimeout: 5_000 },
          { maxRetriesPerRequest: null, commandTimeout: undefined },
        ]
      : [
          { ...common, statement: '10s', query_timeout: 10_000, max: 2 },
          { ...common, statement: '1min', query_timeout: undefined, max: 3 },
        ];
    try {
      expect(await limitsOf(g.queues.blend.backend)).toEqual(adding);
      expect(await limitsOf(worker.backend)).toEqual(working);
    } finally {
      await closeWorker(worker);
    }
  });

  test('take writes', () => expect(g.queues.tryWrite()).resolves.toBeUndefined());

  test('need no other server', async () => {
    const { log } = openLog();
    const nowhere = redis ? { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' } : {};
    await (await openQueues({ ...g.store, ...nowhere }, { log })).close();
  });
});

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

describe('a worker', () => {
  const store = { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' };
  const { log } = openLog();

  it('takes over the jobs of dead ones, and waits longer from attempt to attempt, up to an hour', async () => {
    const worker = openWorker('blend', store, async () => ({}), { log, concurrency: 3 });
    const { backoffStrategy, ...others } = worker.opts.settings ?? {};
    await closeWorker(worker);
    expect(others).toEqual({});
    expect(worker.opts).toMatchObject({
      concurrency: 3,
      lockDuration: 30_000,
      stalledInterval: 15_000,
      maxStalledCount: 3,
      runRetryDelay: 1_000,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (attempts) => {
        const longest = Math.min(15_000 * 2 ** attempts, 3_600_000);
        const delays = Array.from({ length: 20 }, () => Number(backoffStrategy?.(attempts)));
        for (const delay of delays) {
          expect(Number.isInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(longest / 2);
          expect(delay).toBeLessThanOrEqual(longest);
        }
        expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(longest / 20);
      }),
    );
  });

  it.each(['close in time', 'never close', 'fail to close'])('where its server lets it %s', async (how) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const disconnect = vi.fn(() => Promise.reject(new Error('no connection')));
      const close = vi.fn(async () => {
        if (how === 'never close') await new Promise(() => {});
        if (how === 'fail to close') throw new Error('can not close');
      });
      const closed = closeWorker({ close, disconnect }).catch((error: Error) => error);
      await vi.advanceTimersByTimeAsync(6_999);
      expect([close.mock.calls.length, disconnect.mock.calls.length]).toEqual([1, 0]);
      await vi.advanceTimersByTimeAsync(1);
      expect(disconnect).toHaveBeenCalledTimes(how === 'never close' ? 1 : 0);
      if (how === 'fail to close') expect(await closed).toMatchObject({ message: 'can not close' });
      else expect(await closed).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

it('tables for queues are made unless somebody else has to', async () => {
  const database = await testDatabase();
  const { log } = openLog();
  try {
    await database.pool.query('drop schema if exists bullmq cascade');
    const store = { databaseUrl: database.url };
    await expect(openQueues({ ...store, migrate: false }, { log })).rejects.toThrow('MIGRATE is off');
    await (await openQueues(store, { log })).close();
    await (await openQueues({ ...store, migrate: false }, { log })).close();
  } finally {
    await database.close();
  }
});
