import { once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import { createCoolDown } from '../../core/concurrency/within.js';
import {
  openRedis,
  type RedisConnection,
  readMemory,
  redisOptions,
  redisPrefix,
} from '../../core/queues/redis.js';
import { type Cache, ENTRY_BYTES, openProcessCache } from './cache.js';

/** A Redis that holds the queues never evicts. Caches there leave a quarter of its memory to the queues. */
const CACHES_SHARE = 3 / 4;
/** A Redis without `maxmemory` may run out of the machine's memory, with the queues in it. */
const UNBOUNDED_BYTES = 256 * 1_048_576;
const COMMAND_MS = 250;
const COOL_DOWN_MS = 1_000;

interface CacheOptions {
  redisUrl?: string | undefined;
  /** The cache stores nothing in a Redis without `maxmemory` that uses more than this. */
  unboundedBytes?: number;
  log: Logger;
}

/** Without Redis, opens a cache in this process, limited in size. */
export function openCache(options: CacheOptions): Cache {
  return options.redisUrl === undefined ? openProcessCache() : redisCache(options.redisUrl, options);
}

function redisCache(url: string, options: CacheOptions): Cache {
  const { unboundedBytes = UNBOUNDED_BYTES, log } = options;
  const settings = { ...redisOptions.failFast(COMMAND_MS), keyPrefix: `${redisPrefix(url)}:cache:` };
  const redis = openRedis(url, settings, { server: 'redis (cache)', log });
  const { client, watch } = redis;
  const attempt = attemptsOn(redis);
  const writing = createSemaphore({ permits: 1 });
  return {
    get: async (key) => (await attempt(() => client.getBuffer(key))) ?? undefined,
    set: async (key, value, seconds) => {
      if (seconds < 1 || value.byteLength > ENTRY_BYTES) return;
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      // One write at a time: another write of this process must not use the free memory that was found.
      await writing.run(() =>
        attempt(async () => {
          if (!(await hasRoom(client, bytes.length, unboundedBytes))) return;
          await client.set(key, bytes, 'EX', Math.floor(seconds));
          watch.recovered();
        }),
      );
    },
    close: async () => client.disconnect(),
  };
}

/** Returns undefined if Redis is unreachable. */
type Attempt = <T>(command: () => Promise<T>) => Promise<T | undefined>;

function attemptsOn({ client, watch }: RedisConnection): Attempt {
  const coolDown = createCoolDown();
  const opening = once(client, 'ready', { signal: AbortSignal.timeout(COMMAND_MS) }).catch(() => undefined);
  return async (command) => {
    await opening;
    if (client.status !== 'ready' || coolDown.isActive()) return undefined;
    try {
      const reply = await command();
      watch.responded();
      return reply;
    } catch (error) {
      // After a failure, requests don't wait for Redis again until the cool-down has passed.
      coolDown.start(COOL_DOWN_MS);
      watch.failed(error);
      return undefined;
    }
  };
}

/** Always true for a Redis with a limit that evicts old entries. */
async function hasRoom(client: Redis, bytes: number, unboundedBytes: number): Promise<boolean> {
  const { usedBytes, maxBytes, evicts } = await readMemory(client);
  if (maxBytes > 0 && evicts) return true;
  return usedBytes + bytes <= (maxBytes > 0 ? maxBytes * CACHES_SHARE : unboundedBytes);
}
