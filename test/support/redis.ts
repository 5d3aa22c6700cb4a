import { Redis } from 'ioredis';
import { inject } from 'vitest';

/** Why there is no Redis, for `describe.skipIf(redisMissing)`; undefined where there is one. */
export const redisMissing: string | undefined = inject('redisUrl')
  ? undefined
  : 'neither Docker nor redis-server is here';

/**
 * A logical database on the run's Redis that nothing else uses. Published messages reach all logical databases.
 * For tests that stop Redis there is startRedis in redis-server.ts.
 */
export async function testRedis(): Promise<{ url: string }> {
  const shared = inject('redisUrl');
  if (!shared) throw new Error(`no Redis: ${redisMissing}`);
  const client = new Redis(shared);
  try {
    return { url: `${shared}/${await client.incr('databases-given-out')}` };
  } finally {
    await client.quit();
  }
}
