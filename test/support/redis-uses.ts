import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { readConfig } from '../../core/process/config.js';
import { openAnnouncements } from '../../core/queues/announcements.js';
import { enqueueBlend } from '../../core/queues/enqueue.js';
import { closeWorker, openQueues, openWorker } from '../../core/queues/queues.js';
import { openCache } from '../../src/cache/shared-cache.js';
import { openLimits, openRedisLink } from '../../src/http/limits.js';
import { testDatabase } from './postgres.js';

const log = pino({ level: 'silent' });

/** All that the programs do with Redis. */
export interface RedisUses {
  /** Ids of the jobs that were done, and how many announcements were heard. */
  done: string[];
  heard: ReturnType<typeof vi.fn<() => void>>;
  /** Does each of it once more, and waits until that has worked. */
  useAll(): Promise<void>;
  close(): Promise<void>;
}

export async function openRedisUses(redisUrl: string): Promise<RedisUses> {
  const database = await testDatabase();
  const store = { databaseUrl: database.url, redisUrl };
  const queues = await openQueues(store, { log });
  const done: string[] = [];
  const work = async ({ id = '' }) => {
    done.push(id);
    return { version: null };
  };
  const worker = openWorker('blend', store, work, { log, concurrency: 1, lockDurationMs: 2_000 });
  const announcements = await openAnnouncements({ database, redisUrl, log });
  const heard = vi.fn<() => void>();
  await announcements.subscribe(heard);
  const cache = openCache({ redisUrl, log });
  const link = openRedisLink(redisUrl, log);
  const { utility } = openLimits(readConfig({ RATE_LIMITS: 'utility=90' }), link);

  async function useAll(): Promise<void> {
    await vi.waitFor(() => queues.tryWrite());
    const job = await vi.waitFor(() => enqueueBlend(queues.blend, { window: null }));
    await vi.waitFor(() => expect(done).toContain(job));
    const before = heard.mock.calls.length;
    await vi.waitFor(async () => {
      await announcements.publish(1n);
      await vi.waitUntil(() => heard.mock.calls.length > before, 500);
    });
    await vi.waitFor(async () => {
      await cache.set('body', new TextEncoder().encode(job), 60);
      expect(new TextDecoder().decode(await cache.get('body'))).toBe(job);
    });
    await vi.waitFor(async () => {
      await utility?.('client');
      expect(await link.client.get('limit:utility:client')).not.toBeNull();
    });
  }

  return {
    done,
    heard,
    useAll,
    async close() {
      link.close();
      await cache.close();
      await announcements.close();
      await closeWorker(worker);
      await queues.close();
      await database.close();
    },
  };
}
