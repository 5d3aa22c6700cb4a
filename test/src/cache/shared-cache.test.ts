import { Redis } from 'ioredis';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openCache } from '../../../src/cache/shared-cache.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';

const UNREACHABLE = "redis (cache) can't be reached";
const silent = pino({ level: 'silent' });
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);
const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

function open(redisUrl: string | undefined, log = silent, unboundedBytes?: number) {
  const cache = openCache({ redisUrl, log, ...(unboundedBytes && { unboundedBytes }) });
  closings.push(() => cache.close());
  return cache;
}

describe.each([
  { name: 'in the process', redis: false },
  { name: 'on Redis', redis: true },
])('the cache $name', ({ redis }) => {
  it.skipIf(redis && redisMissing)('keeps bytes for their time', async () => {
    const cache = open(redis ? (await testRedis()).url : undefined);
    expect(await cache.get('a')).toBeUndefined();
    // The cache gives up on a Redis that takes long, as it may on a busy machine.
    await vi.waitFor(async () => {
      await cache.set('a', bytes('one'), 60);
      await cache.set('a', bytes('two'), 60);
      expect(text(await cache.get('a'))).toBe('two');
    });
    await cache.set('short', bytes('gone'), 1);
    await cache.set('never', bytes('kept'), 0);
    expect(text(await cache.get('never'))).toBeUndefined();
    await vi.waitFor(async () => expect(await cache.get('short')).toBeUndefined(), { timeout: 3_000 });
    // A part of a larger buffer is stored as that part alone.
    await cache.set('part', bytes('abcdef').subarray(2, 4), 60);
    expect(text(await cache.get('part'))).toBe('cd');
  });

  it.skipIf(redis && redisMissing)('forgets what is too large', async () => {
    const cache = open(redis ? (await testRedis()).url : undefined);
    await cache.set('large', new Uint8Array(9_000_000), 60);
    expect(await cache.get('large')).toBeUndefined();
  });
});

describe.skipIf(redisMissing)('the cache when Redis stops', () => {
  it('misses without throwing or waiting, says so once, and works again afterwards', async () => {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    closings.push(() => server.stop());
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
    const cache = open(server.url, log);
    await cache.set('a', bytes('one'), 60);
    expect(text(await cache.get('a'))).toBe('one');

    await server.stop();
    const started = Date.now();
    for (let index = 0; index < 50; index++) {
      expect(await cache.get('a')).toBeUndefined();
      await cache.set('a', bytes('two'), 60);
    }
    expect(Date.now() - started).toBeLessThan(10_000);
    await vi.waitFor(() => expect(lines).toEqual([UNREACHABLE]), { timeout: 3_000 });

    const again = await startRedis(Number(new URL(server.url).port));
    if (!again) throw new Error('Redis did not start again');
    closings.push(() => again.stop());
    await vi.waitFor(
      async () => {
        await cache.set('b', bytes('back'), 60);
        expect(text(await cache.get('b'))).toBe('back');
      },
      { timeout: 8_000 },
    );
    expect(lines).toEqual([UNREACHABLE, 'redis (cache) can be reached again']);
  });

  it('opens without a server', async () => {
    const cache = open('redis://127.0.0.1:1');
    expect(await cache.get('a')).toBeUndefined();
    await cache.set('a', bytes('one'), 60);
  });
});

describe.skipIf(redisMissing)('the cache on a Redis that refuses writes', () => {
  it('goes on reading, says so once, and that it stores again', async () => {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    closings.push(() => server.stop());
    const client = new Redis(server.url);
    closings.push(async () => client.disconnect());
    const lines: string[] = [];
    const cache = open(server.url, pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) }));
    await vi.waitFor(async () => {
      await cache.set('a', bytes('one'), 60);
      expect(text(await cache.get('a'))).toBe('one');
    });
    lines.length = 0;

    await client.config('SET', 'min-replicas-to-write', '1');
    for (let time = 0; time < 2; time++) {
      // A refused write is followed by a second in which Redis is not asked.
      await vi.waitFor(
        async () => {
          expect(text(await cache.get('a'))).toBe('one');
          await cache.set('b', bytes('two'), 60);
          expect(await cache.get('a')).toBeUndefined();
        },
        { timeout: 5_000 },
      );
    }
    expect(lines).toEqual([expect.stringContaining('redis (cache) refuses writes: NOREPLICAS ')]);

    await client.config('SET', 'min-replicas-to-write', '0');
    await vi.waitFor(
      async () => {
        await cache.set('b', bytes('two'), 60);
        expect(text(await cache.get('b'))).toBe('two');
      },
      { timeout: 5_000 },
    );
    expect(lines.slice(1)).toEqual(['redis (cache) takes writes again']);
  });
});

describe.skipIf(redisMissing)('the cache on a Redis with little memory', () => {
  const VALUE = new Uint8Array(1_000_000);

  async function filled(policy: string, maxBytes = 20_000_000, unboundedBytes?: number) {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    closings.push(() => server.stop());
    const client = new Redis(server.url);
    closings.push(async () => client.disconnect());
    await client.config('SET', 'maxmemory', maxBytes, 'maxmemory-policy', policy);
    const lines: string[] = [];
    const own = pino({}, { write: (line: string) => lines.push(line) });
    const cache = open(server.url, own, unboundedBytes);
    // The cache gives up on a Redis that takes long, as it may on a busy machine.
    await vi.waitFor(async () => {
      await cache.set('0', VALUE, 600);
      expect(await cache.get('0')).toBeDefined();
    });
    for (let index = 1; index < 30; index++) await cache.set(String(index), VALUE, 600);
    return { client, cache, lines };
  }

  const usedMemory = async (client: Redis) =>
    Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]);

  it('leaves a quarter of it to the queues where Redis never evicts', async () => {
    const { client, cache, lines } = await filled('noeviction');
    const used = await usedMemory(client);
    expect(used).toBeGreaterThan(5_000_000);
    expect(used).toBeLessThan(17_000_000);
    expect(await client.set('a-job', Buffer.alloc(2_000_000))).toBe('OK');
    expect(await cache.get('0')).toHaveLength(VALUE.length);
    expect(await cache.get('29')).toBeUndefined();
    expect(lines).toEqual([]);
  });

  it.each(['noeviction', 'allkeys-lru'])(
    'keeps to its bytes where Redis has no bound: %s',
    async (policy) => {
      const { client, cache } = await filled(policy, 0, 10_000_000);
      const used = await usedMemory(client);
      expect(used).toBeGreaterThan(5_000_000);
      expect(used).toBeLessThan(12_000_000);
      expect(await cache.get('29')).toBeUndefined();
      // Every key ends by itself, and makes room for others.
      for (const key of await client.keys('*')) expect(await client.ttl(key)).toBeGreaterThan(0);
      await client.del('almanac:cache:0', 'almanac:cache:1');
      await vi.waitFor(async () => {
        await cache.set('30', new Uint8Array(1_000), 600);
        expect(await cache.get('30')).toHaveLength(1_000);
      });
    },
  );

  it.each([
    { name: 'with a bound', maxBytes: 20_000_000, unboundedBytes: undefined },
    { name: 'without one', maxBytes: 0, unboundedBytes: 15_000_000 },
  ])('has room beyond a share for what is set without one: $name', async ({ maxBytes, unboundedBytes }) => {
    const { client, cache } = await filled('noeviction', maxBytes, unboundedBytes);
    await client.flushall();
    for (let index = 0; index < 15; index++) await cache.set(`shared ${index}`, VALUE, 600, 1 / 2);
    const used = await usedMemory(client);
    expect(used).toBeGreaterThan(3_000_000);
    expect(used).toBeLessThan(9_000_000);
    await vi.waitFor(async () => {
      await cache.set('own', VALUE, 600);
      expect(await cache.get('own')).toHaveLength(VALUE.length);
    });
  });

  it('uses all of it where Redis evicts', async () => {
    const { client, cache } = await filled('allkeys-lru');
    await vi.waitFor(async () => {
      await cache.set('newest', VALUE, 600);
      expect(await cache.get('newest')).toHaveLength(VALUE.length);
    });
    expect(await usedMemory(client)).toBeGreaterThan(17_000_000);
    expect(await client.dbsize()).toBeLessThan(25);
  });
});
