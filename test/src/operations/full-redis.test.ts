import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../../src/cache/shared-cache.js';
import { openRedisLink } from '../../../src/http/redis-link.js';
import { openQueueAccess } from '../../../src/operations/queue-access.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';
import { redisServerMissing, startRedisProcess } from '../../support/redis-server.js';
import { log, TOKEN } from './support.js';

const patiently = { timeout: 15_000, interval: 200 };

/** Each is what a Redis that responds to PING may do with writes. */
const REFUSALS = [
  {
    reason: /^OOM /,
    state: 'full',
    told: /is full$/,
    begin: async (client: Redis) => {
      await client.config('SET', 'maxmemory', '6mb');
      expect(await fill(client)).toBeGreaterThan(10);
      // The last write took less than what its buffers took, which are free again.
      await client.config('SET', 'maxmemory', '5mb');
    },
    end: (client: Redis) => client.del('filling'),
  },
  {
    reason: /^READONLY /,
    state: 'refuses_writes',
    told: /refuses writes: READONLY /,
    begin: (client: Redis) => client.replicaof('127.0.0.1', 1),
    end: (client: Redis) => client.replicaof('NO', 'ONE'),
  },
  {
    reason: /^MISCONF /,
    state: 'refuses_writes',
    told: /refuses writes: MISCONF /,
    begin: async (client: Redis) => {
      const folder = await mkdtemp(join(tmpdir(), 'almanac-redis-'));
      await client.config('SET', 'dir', folder);
      await rm(folder, { recursive: true });
      await client.config('SET', 'save', '3600 1');
      await client.bgsave();
      await expect.poll(() => client.info('persistence'), patiently).toContain('rdb_last_bgsave_status:err');
    },
    end: (client: Redis) => client.config('SET', 'save', ''),
  },
] as const;

/** Stores until nothing more is taken. Returns how much was. */
async function fill(client: Redis): Promise<number> {
  for (let count = 0; ; count++) {
    try {
      await client.rpush('filling', Buffer.alloc(64_000));
    } catch (error) {
      if (String(error).includes('OOM')) return count;
      throw error;
    }
  }
}

describe.skipIf(redisServerMissing).concurrent.each(REFUSALS)(
  'a Redis that refuses writes: $reason',
  (refusal) => {
    const closings: (() => unknown)[] = [];
    let database: TestDatabase;
    let api: TestApi;
    let client: Redis;
    const lines: { msg: string; reason?: string }[] = [];

    beforeEach(async () => {
      const server = await startRedisProcess(['--save', '', '--enable-protected-configs', 'local']);
      if (!server) throw new Error('no Redis');
      closings.push(() => server.stop());
      client = new Redis(server.url);
      closings.push(() => client.disconnect());
      database = await testDatabase();
      closings.push(() => database.close());
      await storeRows(database, someRates('2026-03-16'));
      const own = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
      const redis = openRedisLink(server.url, own);
      closings.push(() => redis.close());
      const queues = openQueueAccess({ databaseUrl: database.url, redisUrl: server.url }, log);
      closings.push(() => queues.close());
      const cache = openCache({ redisUrl: server.url, log });
      api = await startApi(database, {
        variables: { ADMIN_TOKEN: TOKEN, RATE_LIMIT_UTILITY: '1000' },
        parts: { redis, queues, cache },
      });
      closings.push(() => api.close());
    });
    afterEach(async () => {
      for (const close of closings.splice(0).reverse()) await close();
    });

    const readiness = async () => (await fetch(`${api.url}/health/ready`)).json();
    const statusOf = async (path: string) => (await fetch(`${api.url}${path}`)).status;
    const ingest = () =>
      fetch(`${api.url}/admin/providers/ECB/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ from: '2026-03-01' }),
      });
    const scraped = async (pattern: string) =>
      (await (await fetch(`${api.url}/metrics`)).text()).match(pattern)?.[1];
    const isUp = (dependency: string) => scraped(`almanac_dependency_up{dependency="${dependency}"} (.)`);
    const stateOf = (dependency: string) =>
      scraped(`almanac_dependency_state{dependency="${dependency}",state="(\\w+)"} 1`);

    it('is told apart, costs no request for rates, refuses jobs, and is up again afterwards', async () => {
      await expect.poll(readiness, patiently).toMatchObject({ status: 'ready', redis: 'up', queue: 'up' });
      lines.length = 0;

      await refusal.begin(client);
      await expect
        .poll(readiness, patiently)
        .toMatchObject({ status: 'degraded', snapshot: 'up', redis: refusal.state, queue: refusal.state });
      for (const path of ['/v2/rates', '/v2/rates?expand=providers', '/random/hangman']) {
        expect([path, await statusOf(path)]).toEqual([path, 200]);
      }
      const refused = await ingest();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      await expect.poll(() => isUp('redis'), patiently).toBe('0');
      expect(await isUp('queue')).toBe('0');
      expect(await stateOf('redis')).toBe(refusal.state);
      expect(await stateOf('queue')).toBe(refusal.state);
      const told = lines.filter(({ msg }) => msg.startsWith('redis (limits)'));
      expect(told).toMatchObject([
        { msg: expect.stringMatching(refusal.told), reason: expect.stringMatching(refusal.reason) },
      ]);

      await refusal.end(client);
      await expect.poll(readiness, patiently).toMatchObject({ status: 'ready', redis: 'up', queue: 'up' });
      expect((await ingest()).status).toBe(202);
      await expect.poll(() => isUp('queue'), patiently).toBe('1');
      expect(lines.map(({ msg }) => msg)).toContain('redis (limits) takes writes again');
    });
  },
);
