import { Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { clientKey, trustOf } from '../../../src/http/client-address.js';
import type { HttpError } from '../../../src/http/errors.js';
import { openCounter, openLimits } from '../../../src/http/limits.js';
import { openRedisLink } from '../../../src/http/redis-link.js';
import { startApi, type TestApi } from '../../support/api.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { log } from './support.js';

describe('who counts as one client', () => {
  const keyOf = (remote: string, forwarded: string | undefined, trust: string) => {
    const socket = Object.create(Socket.prototype, { remoteAddress: { value: remote } }) as Socket;
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return clientKey({ socket, headers }, trustOf(readConfig({ TRUST_PROXY: trust }).TRUST_PROXY));
  };

  it.each([
    ['9.9.9.9', '1.1.1.1', 'off', '9.9.9.9'],
    ['9.9.9.9', '1.1.1.1', '0', '9.9.9.9'],
    ['9.9.9.9', '1.1.1.1', '1', '1.1.1.1'],
    ['9.9.9.9', '7.7.7.7, 1.1.1.1', '1', '1.1.1.1'],
    ['9.9.9.9', '7.7.7.7, 1.1.1.1', '2', '7.7.7.7'],
    ['9.9.9.9', '1.1.1.1', '5', '1.1.1.1'],
    ['9.9.9.9', undefined, '1', '9.9.9.9'],
    ['10.0.0.5', '6.6.6.6, 1.1.1.1, 10.1.2.3', '10.0.0.0/8', '1.1.1.1'],
    ['::ffff:10.0.0.5', '1.1.1.1', '10.0.0.0/8', '1.1.1.1'],
    ['9.9.9.9', '1.1.1.1', '10.0.0.0/8, 192.168.0.1', '9.9.9.9'],
    ['127.0.0.1', '1.1.1.1', 'loopback', '1.1.1.1'],
    ['127.0.0.1', '1.1.1.1:4711', 'loopback', '1.1.1.1'],
    ['127.0.0.1', '10.200.30.40:4711', 'loopback', '10.200.30.40'],
    ['127.0.0.1', 'x1.1.1.1:4711', 'loopback', '127.0.0.1'],
    ['127.0.0.1', '1.1.1.1:4711x', 'loopback', '127.0.0.1'],
    ['127.0.0.1', '[2001:db8::1]:4711', 'loopback', '2001:db8:0:0::/64'],
    ['127.0.0.1', '[2001:db8::1]', 'loopback', '2001:db8:0:0::/64'],
    ['127.0.0.1', 'x[2001:db8::1]', 'loopback', '127.0.0.1'],
    ['127.0.0.1', '[2001:db8::1]x', 'loopback', '127.0.0.1'],
    ['127.0.0.1', 'unknown', 'loopback', '127.0.0.1'],
    ['127.0.0.1', '', 'loopback', '127.0.0.1'],
    ['::ffff:1.2.3.4', undefined, 'off', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', undefined, 'off', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', undefined, 'off', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:aaaa::', undefined, 'off', '2001:db8:1:2::/64'],
    ['::1', undefined, 'off', '0:0:0:0::/64'],
    ['fe80::1%eth0', undefined, 'off', 'fe80:0:0:0::/64'],
    ['64:ff9b::1.2.3.4', undefined, 'off', '64:ff9b:0:0::/64'],
  ])('%s, told %s, trusting %s: %s', (remote, forwarded, trust, key) => {
    expect(keyOf(remote, forwarded, trust)).toBe(key);
  });

  it.each(['on', 'yes', '10.0.0.0/33', '::/129', '1.2.3.4/8/8', '999', '-1', '1.2.3'])(
    'refuses TRUST_PROXY=%s',
    (setting) => {
      expect(() => readConfig({ TRUST_PROXY: setting })).toThrow(/TRUST_PROXY/);
    },
  );
});

describe('limits', () => {
  let database: TestDatabase;
  let api: TestApi | undefined;
  const cleanUps: (() => unknown)[] = [];

  beforeAll(async () => {
    database = await databaseWith(someRates('2026-03-16'));
  });
  afterEach(async () => {
    await api?.close();
    api = undefined;
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });
  afterAll(async () => database?.close());

  async function start(variables: Record<string, string>, redisUrl?: string): Promise<TestApi> {
    const redis = redisUrl === undefined ? undefined : openRedisLink(redisUrl, log);
    if (redis) {
      cleanUps.push(() => redis.close());
      await expect.poll(() => redis.client.status, { timeout: 10_000 }).toBe('ready');
    }
    return startApi(database, { variables, ...(redis ? { parts: { redis } } : {}) });
  }

  const ask = async (path: string, headers: Record<string, string> = {}, at = api) => {
    const answer = await fetch(`${at?.url}${path}`, { headers });
    const body = await answer.text();
    return { status: answer.status, headers: answer.headers, body };
  };

  it('are on for relays, far away for currencies, and off for all else, unless set', async () => {
    api = await start({});
    const relay = await ask('/sg/bus-arrivals');
    expect(relay.status).toBe(400);
    expect(relay.headers.get('ratelimit-policy')).toBe('"relay";q=60;w=60');
    expect(relay.headers.get('ratelimit')).toBe('"relay";r=59;t=60');
    for (const path of ['/v2/rates', '/no', '/random/hangman', '/health/live', '/']) {
      expect((await ask(path)).headers.get('ratelimit')).toBeNull();
    }
  });

  it('respond 429 with the common error body, for all routes of a group together, whatever their spelling', async () => {
    api = await start({ RATE_LIMIT_RELAY: '3' });
    await ask('/weather/search');
    await ask('/TRANSLATE/text');
    await ask('/detect/location/');
    const refused = await ask('/sg/bus-arrivals?code=83139', { 'x-request-id': 'one-too-many' });
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit')).toBe(`"relay";r=0;t=${seconds}`);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('x-request-id')).toBe('one-too-many');
    expect(JSON.parse(refused.body)).toEqual({
      success: false,
      status: 429,
      message: `too many requests: 3 a minute are allowed here, so try again in ${seconds} seconds`,
    });
    expect((await ask('/random/hangman')).status).toBe(200);
    expect((await ask('/v2/rates')).status).toBe(200);
  });

  it('count clients apart, by the address that the trusted proxy tells', async () => {
    api = await start({ RATE_LIMIT_UTILITY: '1', TRUST_PROXY: 'loopback' });
    const from = async (address: string) =>
      (await ask('/random/hangman', { 'x-forwarded-for': address })).status;
    expect(await from('1.1.1.1')).toBe(200);
    expect(await from('1.1.1.1')).toBe(429);
    expect(await from('7.7.7.7, 1.1.1.1')).toBe(429);
    expect(await from('2.2.2.2')).toBe(200);
    expect(await from('2001:db8::1')).toBe(200);
    expect(await from('2001:db8::ffff:2')).toBe(429);
  });

  it('count replies from the response cache like any other', async () => {
    api = await start({ RATE_LIMIT_CURRENCY: '5' });
    const left: (string | null)[] = [];
    for (let request = 0; request < 5; request++) {
      const { status, headers } = await ask('/v2/rates?quotes=USD');
      expect(status).toBe(200);
      left.push(headers.get('ratelimit')?.match(/r=(\d+)/)?.[1] ?? null);
    }
    expect(left).toEqual(['4', '3', '2', '1', '0']);
    expect((await ask('/v2/rates?quotes=USD')).status).toBe(429);
    expect((await ask('/v2/currencies')).status).toBe(429);
  });

  it.skipIf(redisMissing)('are counted by all processes together on Redis', async () => {
    const { url } = await testRedis();
    api = await start({ RATE_LIMIT_UTILITY: '2' }, url);
    const other = await start({ RATE_LIMIT_UTILITY: '2' }, url);
    cleanUps.unshift(() => other.close());
    expect((await ask('/random/hangman')).status).toBe(200);
    expect((await ask('/random/hangman', {}, other)).status).toBe(200);
    expect((await ask('/random/hangman')).status).toBe(429);
    expect((await ask('/random/hangman', {}, other)).status).toBe(429);
    // Known to be over the limit without asking again.
    const client = new Redis(url);
    expect(await client.keys('almanac:limit:*')).toHaveLength(1);
    expect(await client.get((await client.keys('almanac:limit:*'))[0] ?? '')).toBe('4');
    await ask('/random/hangman');
    expect(await client.get((await client.keys('almanac:limit:*'))[0] ?? '')).toBe('4');
    client.disconnect();
  });

  it.skipIf(redisMissing)(
    'count in the process while Redis is unreachable, and in Redis again after that',
    async () => {
      const server = await startRedis();
      if (!server) throw new Error('no Redis');
      const port = Number(new URL(server.url).port);
      api = await start({ RATE_LIMIT_UTILITY: '2' }, server.url);
      expect((await ask('/random/hangman')).headers.get('ratelimit')).toContain('r=1');
      await server.stop();
      expect((await ask('/random/hangman')).status).toBe(200);
      expect((await ask('/random/hangman')).headers.get('ratelimit')).toContain('r=0');
      expect((await ask('/random/hangman')).status).toBe(429);
      const back = await startRedis(port);
      cleanUps.push(() => back?.stop());
      await expect
        .poll(async () => (await ask('/random/hangman')).status, { timeout: 10_000, interval: 200 })
        .toBe(200);
    },
  );
});

it('a counter can be looked at without counting', async () => {
  const counter = openCounter('looked-at', 2);
  const outcomes = [await counter.look('a'), await counter.count('a'), await counter.look('a')];
  outcomes.push(await counter.count('a'), await counter.look('a'), await counter.count('a'));
  expect(outcomes.map(({ passed, left }) => [passed, left])).toEqual([
    [true, 2],
    [true, 1],
    [true, 1],
    [true, 0],
    [false, 0],
    [false, 0],
  ]);
  expect(outcomes[0]?.ms).toBe(60_000);
  for (const { ms } of outcomes.slice(1)) expect(ms).toBeGreaterThan(0);
  expect(await counter.look('a')).toMatchObject({ passed: false, left: 0 });
  expect(await counter.look('b')).toMatchObject({ passed: true, left: 2 });
});

describe('a high limit', () => {
  const client = '9.9.9.9';

  it('is counted without waiting for most requests, and kept', async () => {
    const { currency } = openLimits(readConfig({ RATE_LIMIT_CURRENCY: '2000' }));
    let waited = 0;
    let headers: readonly string[] = [];
    for (let count = 0; count < 2_000; count++) {
      const counted = currency?.(client) ?? [];
      if (counted instanceof Promise) waited++;
      headers = await counted;
      if (count < 900) expect(headers).toEqual([]);
    }
    expect(waited).toBe(100);
    expect(headers.at(-1)).toContain('r=0;');
    await expect(currency?.(client)).rejects.toMatchObject({ status: 429 });
  });

  it('is kept by requests that come at once', async () => {
    const { currency } = openLimits(readConfig({ RATE_LIMIT_CURRENCY: '300' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 400 }, async () => currency?.(client)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(300);
  });
});

describe('a window of a limit where the clock is set back by 80 days', () => {
  afterEach(() => vi.restoreAllMocks());

  const client = '9.9.9.9';
  const config = readConfig({ RATE_LIMIT_UTILITY: '2' });
  const setClockBack = () => {
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 80 * 86_400_000);
  };
  const refusalOf = async (count: () => unknown) => {
    try {
      return await count();
    } catch (error) {
      return error;
    }
  };
  const secondsLeft = (headers: readonly string[]) => Number(/t=(\d+)/.exec(headers.at(-1) ?? '')?.[1]);

  it('ends with its minute, and so does what was counted in advance', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    try {
      const { currency } = openLimits(readConfig({ RATE_LIMIT_CURRENCY: '400' }));
      const left = async () => String((await currency?.('1.1.1.1'))?.[3]).match(/;r=(\d+)/)?.[1];
      // Four are counted at once.
      expect([await left(), await left()]).toEqual(['399', '398']);
      vi.advanceTimersByTime(60_001);
      expect([await left(), await left()]).toEqual(['399', '398']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is told to be no longer than a minute', async () => {
    const { utility } = openLimits(config);
    await utility?.(client);
    setClockBack();
    expect(secondsLeft((await utility?.(client)) ?? [])).toBeLessThanOrEqual(60);
    const refused = (await refusalOf(() => utility?.(client))) as HttpError;
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it.skipIf(redisMissing)('ends when it ends on Redis', async () => {
    const { url } = await testRedis();
    const redis = openRedisLink(url, log);
    try {
      await expect.poll(() => redis.client.status, { timeout: 10_000 }).toBe('ready');
      const { utility } = openLimits(config, redis);
      await utility?.(client);
      await utility?.(client);
      // The rest of the window is cut short, so that the test need not wait for it.
      const [key = ''] = await redis.client.keys('almanac:limit:utility:*');
      await redis.client.pexpire(key.replace('almanac:', ''), 1_000);
      await expect(utility?.(client)).rejects.toMatchObject({ status: 429 });
      setClockBack();
      const refused = (await refusalOf(() => utility?.(client))) as HttpError;
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(1);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect(secondsLeft((await utility?.(client)) ?? [])).toBeLessThanOrEqual(60);
    } finally {
      redis.close();
    }
  });
});
