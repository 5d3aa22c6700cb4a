import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { openCache } from '../../../src/cache/shared-cache.js';
import { openRedisLink } from '../../../src/http/redis-link.js';
import { openQueueAccess } from '../../../src/operations/queue-access.js';
import { startApi } from '../../support/api.js';
import { testDatabase } from '../../support/postgres.js';
import { startPostgres } from '../../support/postgres-server.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { redisMissing } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { log, TOKEN } from './support.js';

const readiness = async (url: string) => {
  const answer = await fetch(`${url}/health/ready`);
  return { code: answer.status, ...((await answer.json()) as Record<string, string>) };
};

it.skipIf(redisMissing)(
  'an API lives without Redis: degraded, ready, jobs refused; and recovers with it',
  async () => {
    const first = await startRedis();
    if (!first) throw new Error('no Redis');
    const port = Number(new URL(first.url).port);
    await first.stop();
    const database = await testDatabase();
    const redis = openRedisLink(first.url, log);
    const queues = openQueueAccess({ databaseUrl: database.url, redisUrl: first.url }, log);
    const api = await startApi(database, {
      variables: { ADMIN_TOKEN: TOKEN },
      parts: { redis, queues },
    });
    let second: Awaited<ReturnType<typeof startRedis>>;
    try {
      const degraded = {
        snapshot: 'up',
        database: 'up',
        raw_rows: 'up',
        redis: 'down',
        queue: 'down',
        cache: 'unused',
      };
      expect(await readiness(api.url)).toEqual({ code: 200, status: 'degraded', ...degraded });
      const admin = (path: string, method: string) =>
        fetch(`${api.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${TOKEN}`, accept: 'text/html' },
        });
      for (const [path, method] of [
        ['/admin/providers/ECB/ingest', 'POST'],
        ['/admin/blend/rebuild', 'POST'],
        ['/admin/jobs/1', 'GET'],
        ['/admin/queues', 'GET'],
      ] as const) {
        const refused = await admin(path, method);
        expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, '5']);
        expect(await refused.text()).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
      }
      second = await startRedis(port);
      await expect
        .poll(() => readiness(api.url), { timeout: 15_000, interval: 200 })
        .toMatchObject({ code: 200, status: 'ready', redis: 'up', queue: 'up' });
      expect((await admin('/admin/blend/rebuild', 'POST')).status).toBe(202);
    } finally {
      redis.close();
      await api.close();
      await queues.close();
      await second?.stop();
      await database.close();
    }
  },
);

it.skipIf(redisMissing)('an API is ready whatever the state of the Redis of its caches', async () => {
  const server = await startRedis();
  if (!server) throw new Error('no Redis');
  const client = new Redis(server.url);
  client.on('error', () => undefined); // It is stopped before it is.
  const database = await testDatabase();
  const cache = openCache({ redisUrl: server.url, log });
  const api = await startApi(database, {
    variables: { REDIS_CACHE_URL: server.url },
    parts: { cache },
  });
  const until = (state: string) =>
    expect
      .poll(() => readiness(api.url), { timeout: 15_000, interval: 200 })
      .toMatchObject({ code: 200, status: 'ready', redis: 'unused', cache: state });
  const state = async () =>
    /almanac_dependency_state\{dependency="cache",state="(\w+)"\} 1/.exec(
      await (await fetch(`${api.url}/metrics`)).text(),
    )?.[1];
  try {
    await until('up');
    await client.config('SET', 'maxmemory', '1');
    await until('full');
    await client.config('SET', 'maxmemory', '0', 'min-replicas-to-write', '1');
    await until('refuses_writes');
    await client.config('SET', 'min-replicas-to-write', '0');
    await until('up');
    await server.stop();
    await until('down');
    await expect.poll(state, { timeout: 15_000, interval: 200 }).toBe('down');
  } finally {
    client.disconnect();
    await server.stop();
    await api.close();
    await database.close();
  }
});

it('an API lives without PostgreSQL while it holds rates', async () => {
  const server = await startPostgres();
  const database = openDatabase(server.url);
  await applyMigrations(database);
  const api = await startApi(database);
  await server.stop();
  try {
    await expect
      .poll(() => readiness(api.url), { timeout: 10_000 })
      .toMatchObject({
        code: 200,
        status: 'degraded',
        snapshot: 'up',
        database: 'down',
        raw_rows: 'down',
        redis: 'unused',
      });
    expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
  } finally {
    await api.close();
    await database.close().catch(() => undefined);
  }
});

it('responds in bounded time if a server accepts connections and never replies', async () => {
  const mute = createServer(() => undefined);
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const address = mute.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `redis://127.0.0.1:${address.port}`;
  const database = await testDatabase();
  const redis = openRedisLink(url, log);
  const queues = openQueueAccess({ databaseUrl: database.url, redisUrl: url }, log);
  const api = await startApi(database, { parts: { redis, queues } });
  try {
    for (let look = 0; look < 3; look++) {
      const started = performance.now();
      expect(await readiness(api.url)).toMatchObject({ status: 'degraded', redis: 'down', queue: 'down' });
      expect(performance.now() - started).toBeLessThan(10_000);
    }
  } finally {
    redis.close();
    await api.close();
    mute.close();
    await queues.close();
    await database.close();
  }
});

it('tries to read raw rows, and tells if it can not', async () => {
  const database = await databaseWith(someRates('2026-03-16'));
  const api = await startApi(database);
  const until = (expected: object) =>
    expect.poll(() => readiness(api.url), { timeout: 10_000, interval: 200 }).toMatchObject(expected);
  try {
    await until({ code: 200, status: 'ready', raw_rows: 'up' });
    await database.pool.query('alter table rates rename to other_rates');
    await until({ code: 200, status: 'degraded', database: 'up', raw_rows: 'down' });
    expect((await fetch(`${api.url}/v2/rates`)).status).toBe(200);
    await database.pool.query('alter table other_rates rename to rates');
    await until({ code: 200, status: 'ready', raw_rows: 'up' });
  } finally {
    await api.close();
    await database.close();
  }
});
