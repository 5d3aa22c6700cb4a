import pg from 'pg';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { enqueueBlend } from '../../../core/queues/enqueue.js';
import { closeWorker, openQueues, openWorker, type QueueStore } from '../../../core/queues/queues.js';
import { testDatabase } from '../../support/postgres.js';
import { redisMissing } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';

const patiently = { timeout: 15_000, interval: 50 };
const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function open(store: QueueStore) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const queues = await openQueues(store, { log });
  closings.push(() => queues.close());
  const done: (string | undefined)[] = [];
  const worker = openWorker(
    'blend',
    store,
    async (job) => {
      done.push(job.id);
      return { version: null };
    },
    { log, concurrency: 1, lockDurationMs: 2_000 },
  );
  closings.push(() => closeWorker(worker));
  return { queues, done, lines };
}

async function database() {
  const opened = await testDatabase();
  closings.push(() => opened.close());
  return opened;
}

it('queues on PostgreSQL go on after their connections broke', async () => {
  const { url } = await database();
  const { queues, done, lines } = await open({ databaseUrl: url });
  await enqueueBlend(queues.blend, null);
  await vi.waitFor(() => expect(done).toHaveLength(1), patiently);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  closings.push(() => admin.end());
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await vi.waitFor(() => enqueueBlend(queues.blend, { from: '2026-11-01', to: '2026-11-02' }), patiently);
  await vi.waitFor(() => expect(done).toHaveLength(2), patiently);
  expect(lines.filter((line) => line === "queue blend can't be reached").length).toBeLessThanOrEqual(2);
});

describe.skipIf(redisMissing)('queues on Redis', () => {
  it('fail fast while it is away, say so once, and go on when it is back, emptied', async () => {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    closings.push(() => server.stop());
    const { url } = await database();
    const { queues, done, lines } = await open({ databaseUrl: url, redisUrl: server.url });
    await enqueueBlend(queues.blend, null);
    await vi.waitFor(() => expect(done).toHaveLength(1), patiently);

    await server.stop();
    const started = Date.now();
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(enqueueBlend(queues.blend, null)).rejects.toThrow();
    }
    expect(Date.now() - started).toBeLessThan(15_000);
    // The queue and the worker, each once.
    expect(lines.filter((line) => line === "queue blend can't be reached").length).toBeLessThanOrEqual(2);

    const again = await startRedis(Number(new URL(server.url).port));
    if (!again) throw new Error('Redis did not start again');
    closings.push(() => again.stop());
    await vi.waitFor(() => enqueueBlend(queues.blend, null), patiently);
    await vi.waitFor(() => expect(done).toHaveLength(2), patiently);
  });

  it('that never answer are given up on', async () => {
    const { url } = await database();
    const log = pino({ level: 'silent' });
    const store = { databaseUrl: url, redisUrl: 'redis://127.0.0.1:1' };
    await expect(openQueues(store, { log })).rejects.toThrow('ECONNREFUSED');
  });
});
