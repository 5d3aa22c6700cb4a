import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { enqueueBlend } from '../../core/queues/enqueue.js';
import { openQueues } from '../../core/queues/queues.js';
import { testDatabase } from '../support/postgres.js';
import { redisMissing } from '../support/redis.js';
import { startRedis } from '../support/redis-server.js';
import { buildService, type StartedProgram, startProgram } from '../support/service.js';

const closings: (() => Promise<unknown>)[] = [];

beforeAll(buildService);

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function startWorker(redisUrl: string): Promise<{ worker: StartedProgram; databaseUrl: string }> {
  const database = await testDatabase();
  closings.push(() => database.close());
  const worker = startProgram('worker/main.js', { DATABASE_URL: database.url, REDIS_URL: redisUrl });
  closings.push(async () => {
    worker.process.kill('SIGTERM');
    await worker.ended;
  });
  return { worker, databaseUrl: database.url };
}

const times = (text: string, part: string) => text.split(part).length - 1;
/** The reasons for which it said that it waits. A container's port resets connections before its server listens. */
const reasons = (text: string) =>
  [...text.matchAll(/"reason":"([^"]*)","msg":"waiting for the queues"/g)].map(([, reason]) => reason);
const soon = { timeout: 40_000, interval: 100 };

describe.skipIf(redisMissing)('the worker', () => {
  test('waits for a Redis where nobody listens yet, and works once it is there', async () => {
    const first = await startRedis();
    if (!first) throw new Error('no Redis');
    await first.stop();
    const { worker, databaseUrl } = await startWorker(first.url);
    await vi.waitFor(() => expect(worker.output()).toContain('waiting for the queues'), soon);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(worker.process.exitCode).toBeNull();

    const again = await startRedis(Number(new URL(first.url).port));
    if (!again) throw new Error('no Redis');
    closings.unshift(() => again.stop());
    await vi.waitFor(() => expect(worker.output()).toContain('worker is running'), soon);
    const said = reasons(worker.output());
    expect(said.length).toBeGreaterThan(0);
    expect([...new Set(said)]).toEqual(said);

    const queues = await openQueues({ databaseUrl, redisUrl: again.url }, { log: pino({ level: 'silent' }) });
    closings.push(() => queues.close());
    const id = await enqueueBlend(queues.blend, null);
    await vi.waitFor(async () => {
      expect(await (await queues.blend.getJob(id))?.getState()).toBe('completed');
    }, soon);
  });

  test('waits while Redis refuses its password, and ends at once when it is asked to', async () => {
    const redis = await startRedis();
    if (!redis) throw new Error('no Redis');
    closings.push(() => redis.stop());
    const admin = new Redis(redis.url);
    await admin.config('SET', 'requirepass', 'right');
    admin.disconnect();
    const wrong = new URL(redis.url);
    wrong.password = 'wrong';
    const { worker } = await startWorker(wrong.toString());
    await vi.waitFor(() => expect(worker.output()).toContain('waiting for the queues'), soon);
    expect(worker.output()).toContain('WRONGPASS');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(times(worker.output(), 'waiting for the queues')).toBe(1);
    expect(worker.output()).not.toContain('before initialization');

    const asked = performance.now();
    worker.process.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(20_000);
  });
});
