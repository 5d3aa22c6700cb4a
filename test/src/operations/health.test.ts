import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../../../core/database/database.js';
import { systemClock } from '../../../core/domain/dates.js';
import type { RedisConnection } from '../../../core/queues/redis.js';
import type { RequestContext } from '../../../src/http/route.js';
import { healthRoutes, openProbes, type Probes, type Reachability } from '../../../src/operations/health.js';
import { startApi } from '../../support/api.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { sharedDatabase } from '../../support/shared.js';
import { apiOnRedis, readiness, scrape } from './support.js';

const PROBES = ['database', 'rawRows', 'redis', 'queue', 'cache'] as const;

interface State extends Partial<Record<(typeof PROBES)[number], Reachability>> {
  hasRates?: boolean;
  hasCatalogue?: boolean;
  isStale?: boolean;
  isDraining?: boolean;
  /** Why a publication can't be followed; null where it can. */
  fault?: string | null;
}

/** The replies of the routes in a state. */
async function repliesIn({ hasRates = true, hasCatalogue = true, isStale = false, ...state }: State) {
  const { isDraining, fault, ...states } = state;
  const probe = (name: (typeof PROBES)[number]) => [name, async () => states[name] ?? 'up'];
  const routes = healthRoutes({
    snapshot: { current: () => (hasRates ? {} : undefined), isStale: () => isStale },
    catalogue: { current: () => (hasCatalogue ? { unreached: null } : undefined) },
    clock: systemClock,
    probes: Object.fromEntries(PROBES.map(probe)) as unknown as Probes,
    ...(isDraining !== undefined && { isDraining: () => isDraining }),
    ...(fault !== undefined && { following: () => ({ version: null, expires: null, fault }) }),
  });
  const [live, ready] = await Promise.all(
    routes.map(async ({ handle }) => {
      const reply = await handle({}, {} as RequestContext);
      if (!('content' in reply)) throw new Error('no content');
      return { code: reply.status, ...JSON.parse(String(reply.content?.body)) };
    }),
  );
  return { live, ready };
}

const UNUSED = { redis: 'unused', queue: 'unused' } as const;

it.each<[State, number, object]>([
  [{}, 200, { status: 'ready' }],
  [UNUSED, 200, { status: 'ready', ...UNUSED }],
  [{ database: 'down' }, 200, { status: 'degraded', database: 'down' }],
  [{ rawRows: 'down' }, 200, { status: 'degraded', raw_rows: 'down' }],
  [{ redis: 'full' }, 200, { status: 'degraded', redis: 'full' }],
  [{ queue: 'refuses_writes' }, 200, { status: 'degraded', queue: 'refuses_writes' }],
  [{ isStale: true }, 200, { status: 'degraded', snapshot: 'stale' }],
  [{ isDraining: false }, 200, { status: 'ready' }],
  [{ isDraining: true }, 503, { status: 'draining' }],
  [{ hasRates: false }, 503, { status: 'loading', snapshot: 'down' }],
  [{ hasCatalogue: false, isStale: true }, 503, { status: 'loading', snapshot: 'down' }],
  [{ hasRates: false, database: 'down' }, 503, { status: 'down', snapshot: 'down', database: 'down' }],
])('%j: %i', async (state, code, shown) => {
  const allUp = { snapshot: 'up', database: 'up', raw_rows: 'up', redis: 'up', queue: 'up' };
  const { live, ready } = await repliesIn(state);
  expect(ready).toEqual({ code, ...allUp, ...shown });
  // A process that responds is alive.
  expect(live).toEqual({ code: 200, status: 'up' });
});

it.each([
  [{ hasRates: false, fault: null }, 503, 'loading'],
  [{ hasRates: false, fault: 'missing' }, 503, 'down'],
  [{ fault: null }, 200, 'ready'],
  [{ fault: 'expired' }, 200, 'degraded'],
])('without a database, %j: %i', async (state, code, status) => {
  const { ready } = await repliesIn({ database: 'unused', ...state });
  expect(ready).toMatchObject({ code, status, publication: { fault: state.fault } });
});

it('a service whose database fails is degraded, and goes on with the rates that it holds', async () => {
  const database = await databaseWith(someRates('2026-03-16'));
  const { url, close } = await startApi(database);
  onTestFinished(close);
  // An outcome is given again for a second.
  const soon = { interval: 200 };
  const until = (expected: object) => expect.poll(() => readiness(url), soon).toMatchObject(expected);
  await until({ code: 200, status: 'ready', database: 'up', raw_rows: 'up' });
  await database.pool.query('alter table rates rename to other_rates');
  await until({ code: 200, status: 'degraded', database: 'up', raw_rows: 'down' });
  await database.close();
  await until({ code: 200, status: 'degraded', snapshot: 'up', database: 'down', raw_rows: 'down' });
  const others = ['/v2/currencies?scope=all', '/v2/currency/EUR', '/v2/providers', '/v2', '/health/live'];
  for (const path of ['/v2/rates', '/v2/rates?date=2026-03-18', ...others])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
});

it('a service says when to come back while nothing was ever loaded', async () => {
  const [nothing, done] = [() => undefined, async () => {}];
  const catalogue = { current: nothing, confirmedAt: nothing, catchUp: done, close: done };
  const empty = await startApi(await sharedDatabase(someRates('2026-03-16')), { parts: { catalogue } });
  onTestFinished(empty.close);
  for (const path of ['/v2/currencies', '/v2/currency/EUR', '/v2/providers']) {
    const response = await fetch(empty.url + path);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await fetch(`${empty.url}/health/ready`)).status).toBe(503);
  expect((await fetch(`${empty.url}/health/live`)).status).toBe(200);
});

it.skipIf(redisMissing)('a service on Redis shows it, and counts there', async () => {
  const variables = { RATE_LIMITS: 'utility=9,login=9' };
  const database = await sharedDatabase(someRates('2026-03-16'));
  const api = await apiOnRedis(database, (await testRedis()).url, { variables });
  const well = { status: 'ready', redis: 'up', queue: 'up' };
  await expect.poll(() => readiness(api.url)).toMatchObject(well);
  // What can't be read in time is left out.
  await expect.poll(() => scrape(api.url)).toHaveProperty('almanac_redis_memory_used_bytes');
  await fetch(`${api.url}/random/hangman`);
  await fetch(`${api.url}/admin/login`, { method: 'POST', body: new URLSearchParams({ token: 'wrong' }) });
  const counted = ['utility', 'login'].map((name) => api.client.get(`limit:${name}:127.0.0.1`));
  expect(await Promise.all(counted)).toEqual(['1', '1']);
});

describe('a probe', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('asks a server once for all that want to know within a second, and again afterwards', async () => {
    let fails = false;
    const tryRawRows = vi.fn(async () => {
      if (fails) throw new Error('no connection');
    });
    const probes = openProbes({ database: {} as Database, tryRawRows });
    expect(await Promise.all([probes.rawRows(), probes.rawRows()])).toEqual(['up', 'up']);
    fails = true;
    vi.advanceTimersByTime(900);
    expect(await probes.rawRows()).toBe('up');
    expect(tryRawRows).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    expect(await probes.rawRows()).toBe('down');
    expect(tryRawRows).toHaveBeenCalledTimes(2);
  });

  it('of a Redis stores something, and gives the reason where it can not', async () => {
    const watch = { failed: vi.fn(), recovered: vi.fn(), responded: vi.fn() };
    const probesOf = (set: () => Promise<unknown>) =>
      openProbes({ redis: { client: { set }, watch } as unknown as RedisConnection });
    const set = vi.fn(async () => 'OK');
    const { redis, queue, database, rawRows } = probesOf(set);
    expect(await redis()).toBe('up');
    expect(set.mock.calls).toEqual([['tried', '1', 'EX', 10]]);
    expect(await Promise.all([queue(), database(), rawRows()])).toEqual(Array(3).fill('unused'));
    expect([watch.recovered.mock.calls.length, watch.failed.mock.calls.length]).toEqual([1, 0]);
    const full = new Error('OOM command not allowed');
    expect(await probesOf(() => Promise.reject(full)).redis()).toBe('full');
    expect(watch.failed.mock.calls).toEqual([[full]]);
    const silent = probesOf(() => new Promise(() => {})).redis();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await silent).toBe('down');
  });
});
