import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { clientKey, trustOf } from '../../../src/http/client-address.js';
import type { HttpError } from '../../../src/http/errors.js';
import { openCounter, openLimits, openRedisLink } from '../../../src/http/limits.js';
import { someRates } from '../../support/rates.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { sharedApi } from '../../support/shared.js';
import { log } from './support.js';

const CLIENT = '9.9.9.9';

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
])('a client at %s, forwarded for %s, with TRUST_PROXY=%s is %s', (remote, forwarded, trust, key) => {
  expect(keyOf(remote, forwarded, trust)).toBe(key);
});

const UNTRUSTED = ['on', 'yes', '10.0.0.0/33', '::/129', '1.2.3.4/8/8', '999', '-1', '1.2.3'];
it.each(UNTRUSTED)('the configuration refuses TRUST_PROXY=%s', (setting) => {
  expect(() => readConfig({ TRUST_PROXY: setting })).toThrow(/TRUST_PROXY/);
});

const RATES = someRates('2026-03-16');
const now = '2026-03-20T18:00:00Z';
const limits = { RATE_LIMITS: 'relay=3,utility=1,currency=5' };
/** A request through a proxy to a service with low limits. */
async function ask(path: string, client: string): Promise<Response> {
  const { url } = await sharedApi(RATES, { now, variables: { ...limits, TRUST_PROXY: 'loopback' } });
  return fetch(url + path, { headers: { 'x-forwarded-for': client, 'x-request-id': 'mine' } });
}
const statusOf = async (path: string, client: string) => (await ask(path, client)).status;

it('limits of the service are on for relays, far away for currencies, and off for all else, unless set', async () => {
  const { url } = await sharedApi(RATES, { now });
  const { status, headers } = await fetch(`${url}/sg/bus-arrivals`);
  const shown = ['ratelimit-policy', 'ratelimit'].map((name) => headers.get(name));
  expect([status, ...shown]).toEqual([400, '"relay";q=60;w=60', expect.stringMatching(/^"relay";r=59;t=/)]);
  for (const path of ['/v2/rates', '/no', '/random/hangman', '/health/live', '/'])
    expect((await fetch(url + path)).headers.get('ratelimit')).toBeNull();
});

it('limits of the service are for all routes of a group together, whatever their spelling, and end in a 429', async () => {
  for (const path of ['/weather/search', '/TRANSLATE/text', '/detect/location/'])
    expect(await statusOf(path, '1.1.1.1')).toBe(400);
  const refused = await ask('/sg/bus-arrivals?code=83139', '1.1.1.1');
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    ratelimit: `"relay";r=0;t=${seconds}`,
    'cache-control': 'no-store',
    'x-request-id': 'mine',
  });
  expect(await refused.json()).toEqual({
    ...{ success: false, status: 429, code: 'too_many_requests' },
    message: `too many requests: 3 a minute are allowed here, so try again in ${seconds} seconds`,
  });
  for (const path of ['/random/hangman', '/v2/rates']) expect(await statusOf(path, '1.1.1.1')).toBe(200);
});

it('limits of the service count clients apart, by the address that the trusted proxy gives', async () => {
  const clients = ['2.1.1.1', '2.1.1.1', '7.7.7.7, 2.1.1.1', '2.2.2.2', '2001:db8::1', '2001:db8::ffff:2'];
  const statuses: number[] = [];
  for (const client of clients) statuses.push(await statusOf('/random/hangman', client));
  expect(statuses).toEqual([200, 429, 429, 200, 200, 429]);
});

it('limits of the service count replies from the response cache like any other', async () => {
  const left: unknown[] = [];
  for (let request = 0; request < 5; request++) {
    const { status, headers } = await ask('/v2/rates?quotes=USD', '3.1.1.1');
    left.push([status, headers.get('ratelimit')?.match(/r=(\d+)/)?.[1]]);
  }
  expect(left).toEqual(['4', '3', '2', '1', '0'].map((more) => [200, more]));
  for (const path of ['/v2/rates?quotes=USD', '/v2/currencies'])
    expect(await statusOf(path, '3.1.1.1')).toBe(429);
});

it('a counter can be looked at without counting', async () => {
  const counter = openCounter('looked-at', 2);
  const outcomes = [];
  for (const act of ['look', 'count', 'look', 'count', 'look', 'count', 'look'] as const)
    outcomes.push(await counter[act]('a'));
  const standings = outcomes.map(({ passed, left }) => `${passed ? 'passed' : 'refused'}, ${left} left`);
  const counted = ['passed, 2 left', 'passed, 1 left', 'passed, 1 left', 'passed, 0 left'];
  expect(standings).toEqual([...counted, ...Array(3).fill('refused, 0 left')]);
  expect(outcomes[0]?.ms).toBe(60_000);
  for (const { ms } of outcomes.slice(1)) expect(ms).toBeGreaterThan(0);
  expect(await counter.look('b')).toMatchObject({ passed: true, left: 2 });
});

it('a high limit is counted without waiting for most requests, and kept', async () => {
  const { currency } = openLimits(readConfig({ RATE_LIMITS: 'currency=2000' }));
  let waited = 0;
  let headers: readonly string[] = [];
  for (let count = 0; count < 2_000; count++) {
    const counted = currency?.(CLIENT) ?? [];
    if (counted instanceof Promise) waited++;
    headers = await counted;
    if (count < 900) expect(headers).toEqual([]);
  }
  expect(waited).toBe(100);
  expect(headers.at(-1)).toContain('r=0;');
  await expect(currency?.(CLIENT)).rejects.toMatchObject({ status: 429 });
});

it('a high limit is kept by requests that come at once', async () => {
  const { currency } = openLimits(readConfig({ RATE_LIMITS: 'currency=300' }));
  const outcomes = await Promise.allSettled(Array.from({ length: 400 }, async () => currency?.(CLIENT)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(300);
});

it('a window ends with its minute, and so does what was counted in advance', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { currency } = openLimits(readConfig({ RATE_LIMITS: 'currency=400' }));
  const left = async () => String((await currency?.('1.1.1.1'))?.[3]).match(/;r=(\d+)/)?.[1];
  // Four are counted at once.
  expect([await left(), await left()]).toEqual(['399', '398']);
  vi.advanceTimersByTime(60_001);
  expect([await left(), await left()]).toEqual(['399', '398']);
});

const config = readConfig({ RATE_LIMITS: 'utility=2' });
const secondsLeft = (headers: readonly string[] = []) => Number(/t=(\d+)/.exec(headers.at(-1) ?? '')?.[1]);
const setClockBack = () => {
  const now = Date.now;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() - 80 * 86_400_000);
  onTestFinished(() => spy.mockRestore());
};
const refusalOf = (counted: unknown) =>
  Promise.resolve(counted).catch((thrown: unknown) => thrown) as Promise<HttpError>;

it('a window is no longer than a minute where the clock is set back', async () => {
  const { utility } = openLimits(config);
  await utility?.(CLIENT);
  setClockBack();
  expect(secondsLeft(await utility?.(CLIENT))).toBeLessThanOrEqual(60);
  const refused = await refusalOf(utility?.(CLIENT));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
});

it('the process counts where Redis cannot be reached', async () => {
  const redis = openRedisLink('redis://127.0.0.1:1', log);
  onTestFinished(() => redis.close());
  const { utility } = openLimits(config, redis);
  for (const left of ['r=1;', 'r=0;']) expect((await utility?.(CLIENT))?.at(-1)).toContain(left);
  expect(await refusalOf(utility?.(CLIENT))).toMatchObject({ status: 429 });
});

describe.skipIf(redisMissing)('on Redis', () => {
  let redis: ReturnType<typeof openRedisLink>;
  beforeEach(async () => {
    redis = openRedisLink((await testRedis()).url, log);
    await expect.poll(() => redis.client.status).toBe('ready');
  });
  afterEach(() => redis.close());

  it('all processes count together, and do not ask again for a client that is over the limit', async () => {
    const [one, other] = [openLimits(config, redis).utility, openLimits(config, redis).utility];
    const counted = () => redis.client.get(`limit:utility:${CLIENT}`);
    await Promise.all([one?.(CLIENT), other?.(CLIENT)]);
    for (const utility of [one, other])
      expect(await refusalOf(utility?.(CLIENT))).toMatchObject({ status: 429 });
    expect(await counted()).toBe('4');
    expect(await refusalOf(one?.(CLIENT))).toMatchObject({ status: 429 });
    expect(await counted()).toBe('4');
  });

  it('a window ends when it ends there, also where the clock is set back', async () => {
    const { utility } = openLimits(config, redis);
    for (let count = 0; count < 2; count++) await utility?.(CLIENT);
    // The rest of the window is cut short, so that the test need not wait for it.
    await redis.client.pexpire(`limit:utility:${CLIENT}`, 300);
    expect(await refusalOf(utility?.(CLIENT))).toMatchObject({ status: 429 });
    setClockBack();
    expect(Number((await refusalOf(utility?.(CLIENT))).headers['retry-after'])).toBeLessThanOrEqual(1);
    await expect.poll(async () => secondsLeft(await utility?.(CLIENT))).toBeLessThanOrEqual(60);
  });
});
