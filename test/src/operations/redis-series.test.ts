import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { openCache } from '../../../src/cache/shared-cache.js';
import { openRedisLink } from '../../../src/http/redis-link.js';
import { startApi } from '../../support/api.js';
import { testDatabase } from '../../support/postgres.js';
import { redisMissing } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { log } from './support.js';

const patiently = { timeout: 20_000, interval: 250 };
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function limitedRedis(maxBytes: number) {
  const server = await startRedis();
  if (!server) throw new Error('no Redis');
  closings.push(() => server.stop());
  const client = new Redis(server.url);
  client.on('error', () => undefined); // One is stopped before it is.
  closings.push(() => client.disconnect());
  await client.config('SET', 'maxmemory', maxBytes);
  return { ...server, client };
}

/** An API with a Redis for the queues, and for the caches the one that is given or the same. */
async function apiWith(queues: string, caches?: string): Promise<string> {
  const database = await testDatabase();
  closings.push(() => database.close());
  const redis = openRedisLink(queues, log);
  closings.push(() => redis.close());
  const api = await startApi(database, {
    variables: caches === undefined ? {} : { REDIS_CACHE_URL: caches },
    parts: { redis, cache: openCache({ redisUrl: caches ?? queues, log }) },
  });
  closings.push(() => api.close());
  return api.url;
}

async function memoryOf(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.matchAll(/^almanac_redis_memory_(\w+)_bytes\{store="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, kind, store, value]) => [`${store} ${kind}`, Number(value)]));
}

describe.skipIf(redisMissing)('the memory of Redis in /metrics', () => {
  it('is shown of both, and of the other one while one is away', async () => {
    const [queues, caches] = [await limitedRedis(50_000_000), await limitedRedis(0)];
    await queues.client.set('filling', Buffer.alloc(5_000_000));
    const url = await apiWith(queues.url, caches.url);
    await expect
      .poll(() => memoryOf(url), patiently)
      .toEqual({
        'queues used': expect.toSatisfy((bytes: number) => bytes > 5_000_000 && bytes < 50_000_000),
        'queues max': 50_000_000,
        'caches used': expect.toSatisfy((bytes: number) => bytes > 0 && bytes < 5_000_000),
        'caches max': 0,
      });
    await caches.stop();
    await expect
      .poll(async () => Object.keys(await memoryOf(url)), patiently)
      .toEqual(['queues used', 'queues max']);
  });

  it('is that of the queues alone where they share it with the caches', async () => {
    const url = await apiWith((await limitedRedis(0)).url);
    await expect
      .poll(async () => Object.keys(await memoryOf(url)), patiently)
      .toEqual(['queues used', 'queues max']);
  });
});
