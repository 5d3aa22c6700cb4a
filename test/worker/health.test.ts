import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../core/database/database.js';
import { enqueueBlend } from '../../core/queues/enqueue.js';
import { openQueues } from '../../core/queues/queues.js';
import { openWorkerHealth } from '../../worker/health.js';
import { testDatabase } from '../support/postgres.js';
import { redisMissing, testRedis } from '../support/redis.js';
import { startRedis } from '../support/redis-server.js';
import { buildService, startProgram } from '../support/service.js';

const HOST = '127.0.0.1';
const log = pino({ level: 'silent' });
const soon = { timeout: 40_000, interval: 100 };
const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, HOST);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function readiness(port: number): Promise<Record<string, unknown>> {
  const response = await fetch(`http://${HOST}:${port}/health/ready`);
  return { code: response.status, ...((await response.json()) as object) };
}

async function open(options: { now?: () => number; redisUrl?: string } = {}) {
  const database = await testDatabase();
  closings.push(() => database.close());
  const { redisUrl, ...rest } = options;
  const queues = await openQueues({ databaseUrl: database.url, redisUrl }, { log });
  closings.push(() => queues.close().catch(() => undefined)); // Its server may be stopped by then.
  const port = await freePort();
  const health = await openWorkerHealth({ port, host: HOST, database, ...rest });
  closings.push(() => health.close());
  return { queues, port, health };
}

describe("a worker's health", () => {
  test('is starting, then ready, and tells of the job that ended last', async () => {
    let time = 0;
    const { queues, port, health } = await open({ now: () => time });
    expect((await fetch(`http://${HOST}:${port}/health/live`)).status).toBe(200);
    expect((await fetch(`http://${HOST}:${port}/`)).status).toBe(404);
    expect(await readiness(port)).toEqual({
      code: 503,
      status: 'starting',
      database: 'up',
      queues: 'down',
      lastJob: null,
    });
    health.working(queues);
    health.observer.jobStarted('ingest');
    health.observer.jobEnded({ queue: 'ingest', id: 'one', outcome: 'failed' });
    time += 5_000;
    expect(await readiness(port)).toEqual({
      code: 200,
      status: 'ready',
      database: 'up',
      queues: 'up',
      lastJob: { queue: 'ingest', id: 'one', outcome: 'failed', ageSeconds: 5 },
    });
  });

  test('is stuck where jobs wait and none begins, and not where there are none or the queue is paused', async () => {
    let time = 0;
    const { queues, port, health } = await open({ now: () => time });
    health.working(queues);
    time += 3_600_001;
    expect(await readiness(port)).toMatchObject({ code: 200, status: 'ready' });
    await enqueueBlend(queues.blend, null);
    expect(await readiness(port)).toMatchObject({ code: 503, status: 'stuck', queues: 'up' });
    await queues.blend.pause();
    expect(await readiness(port)).toMatchObject({ code: 200, status: 'ready' });
    await queues.blend.resume();
    expect(await readiness(port)).toMatchObject({ code: 503, status: 'stuck' });
    health.observer.jobStarted('blend');
    expect(await readiness(port)).toMatchObject({ code: 200, status: 'ready' });
  });

  test('is outdated once newer programs have to do the work', async () => {
    const { queues, port, health } = await open();
    health.working(queues);
    health.observer.outdated();
    expect(await readiness(port)).toMatchObject({
      code: 503,
      status: 'outdated',
      database: 'up',
      queues: 'up',
    });
  });

  test('is down while the database can not be reached', async () => {
    const { queues } = await open();
    const database = openDatabase('postgres://user:hidden@127.0.0.1:9/almanac');
    closings.push(() => database.close());
    const port = await freePort();
    const health = await openWorkerHealth({ port, host: HOST, database });
    closings.push(() => health.close());
    health.working(queues);
    expect(await readiness(port)).toMatchObject({
      code: 503,
      status: 'down',
      database: 'down',
      queues: 'up',
    });
  });

  test('says that its port is in use', async () => {
    const { port } = await open();
    const database = openDatabase('postgres://user:hidden@127.0.0.1:9/almanac');
    closings.push(() => database.close());
    await expect(openWorkerHealth({ port, host: HOST, database })).rejects.toThrow(
      `WORKER_HEALTH_PORT: port ${port} is already in use`,
    );
  });

  test.skipIf(redisMissing)('is down while Redis is', async () => {
    const redis = await startRedis();
    if (!redis) throw new Error('no Redis');
    const { queues, port, health } = await open({ redisUrl: redis.url });
    health.working(queues);
    expect(await readiness(port)).toMatchObject({ code: 200, status: 'ready' });
    await redis.stop();
    const started = performance.now();
    expect(await readiness(port)).toMatchObject({
      code: 503,
      status: 'down',
      database: 'up',
      queues: 'down',
    });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('the worker as a program', () => {
  beforeAll(buildService);

  test.skipIf(redisMissing)('is healthy once it works, and tells of its jobs', async () => {
    const database = await testDatabase();
    closings.push(() => database.close());
    const redis = await testRedis();
    const port = await freePort();
    const store = { databaseUrl: database.url, redisUrl: redis.url };
    const worker = startProgram('worker/main.js', {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      WORKER_HEALTH_PORT: String(port),
    });
    closings.push(async () => {
      worker.process.kill('SIGTERM');
      expect((await worker.ended).code).toBe(0);
    });
    await vi.waitFor(async () => expect(await readiness(port)).toMatchObject({ status: 'ready' }), soon);
    const queues = await openQueues(store, { log });
    closings.push(() => queues.close());
    const id = await enqueueBlend(queues.blend, null);
    const lastJob = { queue: 'blend', id, outcome: 'completed' };
    await vi.waitFor(async () => expect(await readiness(port)).toMatchObject({ code: 200, lastJob }), soon);
  });
});
