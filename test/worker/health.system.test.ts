import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Logger, pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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

type Options = Pick<Parameters<typeof openWorkerHealth>[0], 'now' | 'everyMinute'> & {
  redisUrl?: string;
  log?: Logger;
};

async function open(options: Options = {}) {
  const database = await testDatabase();
  closings.push(() => database.close());
  const { redisUrl, ...rest } = options;
  const queues = await openQueues({ databaseUrl: database.url, redisUrl }, { log });
  closings.push(() => queues.close().catch(() => undefined)); // Its server may be stopped by then.
  const port = await freePort();
  const health = await openWorkerHealth({ port, host: HOST, database, log, ...rest });
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
    health.observer.jobEnded({ queue: 'ingest', id: 'one', outcome: 'failed', seconds: 2 });
    time += 5_000;
    expect(await readiness(port)).toEqual({
      code: 200,
      status: 'ready',
      database: 'up',
      queues: 'up',
      lastJob: { queue: 'ingest', id: 'one', outcome: 'failed', ageSeconds: 5 },
    });
  });

  describe.each([
    { store: 'PostgreSQL', redis: false, missing: undefined },
    { store: 'Redis', redis: true, missing: redisMissing },
  ])('once jobs have waited for an hour on $store', ({ redis, missing }) => {
    beforeEach((context) => context.skip(missing !== undefined, missing));
    let look = async () => {};
    const everyMinute = (given: typeof look) => {
      look = given;
      return () => {};
    };
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute++) await look();
    };
    const live = async (port: number) => (await fetch(`http://${HOST}:${port}/health/live`)).status;

    async function waitingFor(enqueued = true) {
      const lines: string[] = [];
      const opened = await open({
        everyMinute,
        ...(redis ? { redisUrl: (await testRedis()).url } : {}),
        log: pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) }),
      });
      opened.health.working(opened.queues);
      if (enqueued) await enqueueBlend(opened.queues.blend, null);
      let code: number | undefined;
      void opened.health.ended.then((ended) => {
        code = ended;
      });
      return { ...opened, lines, code: () => code };
    }

    test('in which none began or ended, is stuck and ends the worker', async () => {
      const { port, lines, code } = await waitingFor();
      await minutes(60);
      expect(await readiness(port)).toMatchObject({ code: 200, status: 'ready' });
      expect([await live(port), code()]).toEqual([200, undefined]);
      await minutes(2);
      expect(await readiness(port)).toMatchObject({ code: 503, status: 'stuck', queues: 'up' });
      expect([await live(port), code()]).toEqual([503, 1]);
      expect(lines).toEqual(['this worker is stuck and exits, to be restarted']);
    });

    test('counts from the newest that began or ended, or was the first to wait', async () => {
      const { health, queues, code } = await waitingFor(false);
      await minutes(100);
      await enqueueBlend(queues.blend, null);
      await minutes(60);
      health.observer.jobStarted('blend');
      await minutes(60);
      health.observer.jobEnded({ queue: 'blend', id: 'one', outcome: 'failed', seconds: 1 });
      await minutes(60);
      health.observer.jobStarted('ingest');
      expect(code()).toBeUndefined();
      await look();
      expect(await health.ended).toBe(1);
    });

    test('is not stuck while the queue is paused, nor where newer programs do the work', async () => {
      const { queues, health, code } = await waitingFor();
      await minutes(40);
      await queues.blend.pause();
      await look();
      await queues.blend.resume();
      await minutes(40);
      health.observer.outdated();
      await minutes(40);
      expect(code()).toBeUndefined();
    });
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
    const health = await openWorkerHealth({ port, host: HOST, database, log });
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
    await expect(openWorkerHealth({ port, host: HOST, database, log })).rejects.toThrow(
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
    const response = await fetch(`http://${HOST}:${port}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const series = await response.text();
    expect(series).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(series).toMatch(/^almanac_job_duration_seconds_count\{queue="blend",outcome="completed"\} [1-9]/m);
    const seconds = /_seconds_sum\{queue="blend",outcome="completed"\} ([\d.]+)/.exec(series)?.[1];
    expect(Number(seconds)).toBeGreaterThan(0);
  });
});
