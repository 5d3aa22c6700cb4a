import { Redis } from 'ioredis';
import pino from 'pino';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openCache } from '../../../src/cache/shared-cache.js';
import { redisMissing, testRedis } from '../../support/redis.js';

const log = pino({ level: 'silent' });
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);

function open(redisUrl?: string, unboundedBytes?: number) {
  const cache = openCache({ redisUrl, log, ...(unboundedBytes && { unboundedBytes }) });
  onTestFinished(cache.close);
  return cache;
}

describe.each([
  { name: 'in the process', redis: false },
  { name: 'on Redis', redis: true },
])('the cache $name', ({ redis }) => {
  it.skipIf(redis && redisMissing)('keeps bytes for their time, and nothing that is too large', async () => {
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
    // A part of a larger buffer is stored as that part alone.
    await cache.set('part', bytes('abcdef').subarray(2, 4), 60);
    expect(text(await cache.get('part'))).toBe('cd');
    await cache.set('large', new Uint8Array(9_000_000), 60);
    expect(await cache.get('large')).toBeUndefined();
    await vi.waitFor(async () => expect(await cache.get('short')).toBeUndefined());
    expect(text(await cache.get('a'))).toBe('two');
  });
});

it('the cache opens, and has nothing, where Redis cannot be reached', async () => {
  const cache = open('redis://127.0.0.1:1');
  await cache.set('a', bytes('one'), 60);
  expect(await cache.get('a')).toBeUndefined();
});

describe.skipIf(redisMissing)('the cache on a Redis', () => {
  afterEach(() => vi.restoreAllMocks());

  async function opened(unboundedBytes?: number) {
    const { url } = await testRedis();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.set('almanac:cache:stored', 'yes');
    const cache = open(url, unboundedBytes);
    await vi.waitFor(async () => expect(await cache.get('stored')).toBeDefined());
    return cache;
  }

  it.each<[{ max: number; unbounded?: number; policy?: string }, boolean]>([
    [{ max: 0 }, true],
    [{ max: 0, unbounded: 1_001 }, true],
    [{ max: 0, unbounded: 1_000 }, false],
    [{ max: 1_336 }, true],
    [{ max: 1_333 }, false],
    [{ max: 1_000, policy: 'allkeys-lru' }, true],
  ])('with %j has room: %s', async (memory, isStored) => {
    const { max, unbounded, policy = 'noeviction' } = memory;
    const cache = await opened(unbounded);
    const info = `used_memory:1000\r\nmaxmemory:${max}\r\nmaxmemory_policy:${policy}\r\n`;
    vi.spyOn(Redis.prototype, 'info').mockResolvedValue(info);
    await cache.set('a', bytes('b'), 60);
    expect(await cache.get('a')).toEqual(isStored ? Buffer.from('b') : undefined);
  });

  it('does not ask it for a second after a failure', async () => {
    const cache = await opened();
    await cache.set('a', bytes('one'), 60);
    vi.spyOn(Redis.prototype, 'set').mockRejectedValueOnce(new Error('NOREPLICAS not enough'));
    await cache.set('a', bytes('two'), 60);
    expect(await cache.get('a')).toBeUndefined();
    await expect.poll(async () => text(await cache.get('a'))).toBe('one');
  });
});
