import { Redis } from 'ioredis';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { enqueueBlend } from '../../core/queues/enqueue.js';
import { openQueues } from '../../core/queues/queues.js';
import { freePort } from '../../tools/rehearse/free-port.js';
import { testDatabase } from '../support/postgres.js';
import { redisMissing } from '../support/redis.js';
import { startRedis } from '../support/redis-server.js';
import { buildService, startProgram } from '../support/service.js';
import { openLog } from './ingest/support.js';

const soon = { timeout: 40_000, interval: 100 };
const closings: (() => Promise<unknown>)[] = [];

beforeAll(buildService);
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function startedRedis(port?: number) {
  const server = await startRedis(port);
  if (!server) throw new Error('Redis did not start');
  closings.unshift(() => server.stop().catch(() => undefined)); // It may be stopped by then.
  return server;
}

/** A worker as a program on a Redis, and its queues. */
async function startWorker(redisUrl: string) {
  const database = await testDatabase();
  closings.push(() => database.close());
  const port = await freePort();
  const variables = { DATABASE_URL: database.url, REDIS_URL: redisUrl, ADMIN_PORT: String(port) };
  const worker = startProgram('worker/main.js', variables);
  closings.push(async () => {
    worker.process.kill('SIGTERM');
    await worker.ended;
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const ready = async () => (await (await get('/health/ready')).json()) as Record<string, unknown>;
  /** Has it blend everything, and waits until it has. */
  const blend = async () => {
    const queues = await openQueues({ databaseUrl: database.url, redisUrl }, openLog());
    closings.push(() => queues.close().catch(() => undefined)); // Its server may be stopped by then.
    const id = await enqueueBlend(queues.blend, { window: null });
    await vi.waitFor(async () => expect(await queues.blend.getJobState(id)).toBe('completed'), soon);
  };
  const waits = () => vi.waitFor(() => expect(worker.output()).toContain('waiting for the queues'), soon);
  return { worker, get, ready, blend, waits };
}

describe.skipIf(redisMissing)('the worker as a program', () => {
  test('is healthy once it works, has series of its jobs, and is down while Redis is', async () => {
    const redis = await startedRedis();
    const { get, ready, blend } = await startWorker(redis.url);
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 'ready' }), soon);
    await blend();
    const series = await (await get('/metrics')).text();
    expect(series).toMatch(/^almanac_job_duration_seconds_count\{queue="blend",outcome="completed"\} [1-9]/m);
    await redis.stop();
    const before = performance.now();
    expect(await ready()).toMatchObject({ status: 'down', database: 'up', queues: 'down' });
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  test('waits for a Redis where nobody listens yet, and works once it is there', async () => {
    const first = await startedRedis();
    await first.stop();
    const { worker, blend, waits } = await startWorker(first.url);
    await waits();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(worker.process.exitCode).toBeNull();
    await startedRedis(Number(new URL(first.url).port));
    await vi.waitFor(() => expect(worker.output()).toContain('worker is running'), soon);
    // A container's port resets connections before its server listens: there may be several reasons, each logged once.
    const lines = worker.output().matchAll(/"reason":"([^"]*)","msg":"waiting for the queues"/g);
    const reasons = [...lines].map(([, reason]) => reason);
    expect(reasons.length).toBeGreaterThan(0);
    expect([...new Set(reasons)]).toEqual(reasons);
    await blend();
  });

  test('waits while Redis refuses its password, and ends at once when it is asked to', async () => {
    const redis = await startedRedis();
    const admin = new Redis(redis.url);
    await admin.config('SET', 'requirepass', 'right');
    admin.disconnect();
    const wrong = new URL(redis.url);
    wrong.password = 'wrong';
    const { worker, waits } = await startWorker(wrong.toString());
    await waits();
    expect(worker.output()).toContain('WRONGPASS');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(worker.output().split('waiting for the queues')).toHaveLength(2);
    expect(worker.output()).not.toContain('before initialization');
    const before = performance.now();
    worker.process.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
