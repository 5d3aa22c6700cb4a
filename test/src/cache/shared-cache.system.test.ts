import { Redis } from 'ioredis';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openCache } from '../../../src/cache/shared-cache.js';
import { redisMissing } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);

/** A Redis to be stopped, and a client of it. */
async function ownRedis(port?: number) {
  const server = await startRedis(port);
  if (!server) throw new Error('Redis did not start');
  const client = new Redis(server.url);
  client.on('error', () => undefined); // It may be stopped before its client is.
  onTestFinished(async () => {
    client.disconnect();
    await server.stop();
  });
  return { ...server, client };
}

function open(redisUrl: string, unboundedBytes?: number) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const cache = openCache({ redisUrl, log, ...(unboundedBytes && { unboundedBytes }) });
  onTestFinished(cache.close);
  /** Waits until a value is kept: the cache gives up on a Redis that takes long. */
  const untilKept = (key: string, value: Uint8Array) =>
    vi.waitFor(async () => {
      await cache.set(key, value, 600);
      expect(Buffer.from(value).equals((await cache.get(key)) ?? bytes('other'))).toBe(true);
    });
  return { cache, lines, untilKept };
}

describe.skipIf(redisMissing)('the cache', () => {
  it('misses without throwing or waiting while Redis is away, says so once, and works again', async () => {
    const { url, stop } = await ownRedis();
    const { cache, lines, untilKept } = open(url);
    await untilKept('a', bytes('one'));
    await stop();
    const started = performance.now();
    for (let index = 0; index < 50; index++) {
      expect(await cache.get('a')).toBeUndefined();
      await cache.set('a', bytes('two'), 60);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
    const away = "redis (cache) can't be reached";
    await vi.waitFor(() => expect(lines).toEqual([away]));
    await ownRedis(Number(new URL(url).port));
    await untilKept('b', bytes('back'));
    expect(lines).toEqual([away, 'redis (cache) can be reached again']);
  });

  it('goes on reading where writes are refused, says so once, and that it stores again', async () => {
    const { url, client } = await ownRedis();
    const { cache, lines, untilKept } = open(url);
    await untilKept('a', bytes('one'));
    lines.length = 0;
    await client.config('SET', 'min-replicas-to-write', '1');
    for (let time = 0; time < 2; time++) {
      // A refused write is followed by a second in which Redis is not asked.
      await vi.waitFor(async () => {
        expect(text(await cache.get('a'))).toBe('one');
        await cache.set('b', bytes('two'), 60);
        expect(await cache.get('a')).toBeUndefined();
      });
    }
    expect(lines).toEqual([expect.stringContaining('redis (cache) refuses writes: NOREPLICAS ')]);
    await client.config('SET', 'min-replicas-to-write', '0');
    await untilKept('b', bytes('two'));
    expect(lines.slice(1)).toEqual(['redis (cache) takes writes again']);
  });
});
