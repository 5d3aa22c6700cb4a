import cluster from 'node:cluster';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../core/domain/clock.js';
import { providers } from '../../../core/domain/providers.js';
import type { Queues } from '../../../core/queues/queues.js';
import type { RedisConnection } from '../../../core/queues/redis.js';
import type { RequestContext } from '../../../src/http/route.js';
import { databaseSeries } from '../../../src/operations/database-series.js';
import { openMetrics } from '../../../src/operations/metrics.js';
import { answerForAll, metricsOfAll } from '../../../src/operations/metrics-of-all.js';
import { metricsRoutes } from '../../../src/operations/metrics-route.js';
import { openProbes, type Probes, type Reachability } from '../../../src/operations/probes.js';
import type { QueueAccess } from '../../../src/operations/queue-access.js';
import { queueSeries } from '../../../src/operations/queue-series.js';
import { memorySeries } from '../../../src/operations/redis-series.js';
import { snapshotSeries } from '../../../src/operations/snapshot-series.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables } from '../../worker/ingest/support.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

/** Every series with its value, without the prefix of them all. */
function parsed(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith('almanac_'));
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice('almanac_'.length, space), Number(line.slice(space + 1))];
    }),
  );
}
const seriesOf = async (registry: Registry) => parsed(await registry.metrics());

const NOW = '2026-03-20T20:00:00Z';
const clock: Clock = () => new Date(NOW);

describe('series of the database', () => {
  beforeEach(async () => {
    await emptyTables(database);
    await database.pool.query(`
      insert into providers (key, end_date, last_error, last_success_at, runs_succeeded, runs_failed,
          rows_new, rows_corrected, rows_dropped, rows_skipped) values
        ('ECB', '2026-03-16', null, '2026-03-20T16:00:00Z', 11, 12, 13, 14, 15, 16),
        ('BOC', '2026-03-19', 'down', '2026-03-19T16:00:00Z', 1, 2, 3, 4, 5, 6),
        ('FRED', null, 'needs_key: FRED_API_KEY', null, 0, 0, 0, 0, 0, 0);
      insert into thin_days (provider, date, currencies, usual) values ('ECB', '2026-03-16', 1, 30);
      insert into set_aside_windows (provider, window_from, window_to, reason, attempts) values
        ('ECB', '2003-01-01', '2003-12-31', 'no rates', 6), ('ECB', '2004-01-01', '2004-12-31', 'no rates', 6);
      insert into data_versions (changed_from, changed_to) select '2026-03-01', '2026-03-02' from generate_series(1, 3)`);
  });

  it('show each provider as it is, and nothing that can not be known', async () => {
    const registry = new Registry();
    const series = databaseSeries(registry, database, clock);
    // What was counted is read anew each time, not added up.
    for (let again = 0; again < 2; again++) await series.read();
    const shown = await seriesOf(registry);
    expect(shown).toMatchObject({
      data_version: 3,
      'provider_last_success_timestamp_seconds{provider="ECB"}': Date.parse('2026-03-20T16:00:00Z') / 1000,
      'provider_last_success_timestamp_seconds{provider="BOC"}': Date.parse('2026-03-19T16:00:00Z') / 1000,
      next_success_expected_timestamp_seconds: Date.parse('2026-03-20T16:30:00Z') / 1000,
      'provider_missed_publishes{provider="ECB"}': 4,
      'provider_status{provider="ECB",status="late"}': 1,
      'provider_status{provider="BOC",status="failing"}': 1,
      'provider_status{provider="FRED",status="needs_key"}': 1,
      'provider_status{provider="NBU",status="pending"}': 1,
      'provider_set_aside_windows{provider="ECB"}': 2,
      'provider_set_aside_windows{provider="BOC"}': 0,
      'provider_thin_day{provider="ECB"}': 1,
      'provider_thin_day{provider="BOC"}': 0,
      'ingest_runs_total{provider="ECB",outcome="succeeded"}': 11,
      'ingest_runs_total{provider="ECB",outcome="failed"}': 12,
      'ingest_rows_total{provider="ECB",kind="new"}': 13,
      'ingest_rows_total{provider="ECB",kind="corrected"}': 14,
      'ingest_rows_total{provider="ECB",kind="dropped"}': 15,
      'ingest_rows_total{provider="ECB",kind="skipped"}': 16,
    });
    const names = Object.keys(shown);
    expect(names.filter((name) => name.startsWith('provider_status'))).toHaveLength(providers.length);
    for (const absent of [
      'provider_missed_publishes{provider="FRED"}',
      'provider_last_success_timestamp_seconds{provider="FRED"}',
      'provider_thin_day{provider="NBU"}',
    ])
      expect(names).not.toContain(absent);

    series.drop();
    expect(await seriesOf(registry)).toEqual({});
  });

  it('expect the next success of a provider that has a key, once there was one at all', async () => {
    const registry = new Registry();
    const series = databaseSeries(registry, database, clock);
    const expected = async () => {
      await series.read();
      return (await seriesOf(registry)).next_success_expected_timestamp_seconds;
    };
    await database.pool.query(`update providers set last_error = 'needs_key: X' where key <> 'BOC'`);
    // The bank's own slot, on the next day with one.
    expect(await expected()).toBeGreaterThan(Date.parse('2026-03-20T16:30:00Z') / 1000);
    await database.pool.query('update providers set last_success_at = null');
    expect(await expected()).toBeUndefined();
  });
});

describe('GET /metrics', () => {
  const context = { yieldNow: () => undefined } as unknown as RequestContext;

  /** Scrapes with probes whose newest state is given; `read` counts how often they were asked. */
  function scraper(state: { now: Reachability | 'never' | 'broken' }, queues?: QueueAccess) {
    const read = vi.fn();
    const probe = async (): Promise<Reachability> => {
      read();
      if (state.now === 'never') return new Promise(() => {});
      if (state.now === 'broken') throw new Error('broken');
      return state.now;
    };
    const unused = async (): Promise<Reachability> => 'unused';
    const probes: Probes = { database: probe, rawRows: unused, redis: unused, queue: unused, cache: unused };
    const [route] = metricsRoutes({
      ...{ metrics: openMetrics(), probes, database, clock, queues },
      snapshot: { current: () => ({ dataVersion: 7n }), confirmedAt: () => performance.now() - 2_000 },
    });
    const scrape = async () => {
      const reply = await route?.handle({}, context);
      if (!reply || !('content' in reply)) throw new Error('no content');
      expect(reply.content?.type).toMatch(/^text\/plain; version=0\.0\.4/);
      return parsed(String(reply.content?.body));
    };
    return { read, scrape };
  }
  const up = 'dependency_up{dependency="database"}';

  it('reads values every five seconds at most, and shows all of them', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const state: { now: Reachability } = { now: 'up' };
    const { read, scrape } = scraper(state);
    const [shown] = await Promise.all([scrape(), scrape()]);
    expect(shown).toMatchObject({
      [up]: 1,
      'dependency_state{dependency="database",state="up"}': 1,
      data_version: expect.any(Number),
      ...{ snapshot_version: 7, snapshot_age_seconds: 2, log_lines_dropped_total: expect.any(Number) },
    });
    expect(Object.keys(shown).filter((name) => name.includes('redis'))).toEqual([]);
    state.now = 'full';
    vi.advanceTimersByTime(4_999);
    expect((await scrape())[up]).toBe(1);
    expect(read).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    const later = await scrape();
    expect(later[up]).toBe(0);
    expect(later['dependency_state{dependency="database",state="full"}']).toBe(1);
    expect(later).not.toHaveProperty('dependency_state{dependency="database",state="up"}');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('counts jobs where there are queues', async () => {
    const counts = { getJobCounts: async () => ({ waiting: 3 }) };
    const queues = { ingest: counts, blend: counts } as unknown as Queues;
    const { scrape } = scraper({ now: 'up' }, { get: async () => queues, close: async () => {} });
    expect((await scrape())['queue_jobs{queue="blend",state="waiting"}']).toBe(3);
  });

  it.each(['never', 'broken'] as const)('leaves out what comes %s, and tries again at once', async (how) => {
    const state: { now: Reachability | 'never' | 'broken' } = { now: 'up' };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { read, scrape } = scraper(state);
    expect(await scrape()).toHaveProperty([up]);
    vi.advanceTimersByTime(5_000);
    state.now = how;
    for (let again = 0; again < 2; again++) {
      const scraped = scrape();
      await vi.waitFor(() => vi.getTimerCount());
      if (how === 'never') await vi.advanceTimersByTimeAsync(1_500);
      expect(await scraped).not.toHaveProperty([up]);
    }
    expect(read.mock.calls.length).toBe(how === 'never' ? 2 : 3);
  });
});

it('jobs are counted by queue and state, and not once they can not be', async () => {
  const counts = (count: number) => ({ getJobCounts: async () => ({ waiting: count, failed: count + 1 }) });
  const queues = { ingest: counts(3), blend: counts(5) } as unknown as Queues;
  const registry = new Registry();
  const series = queueSeries(registry, { get: async () => queues, close: async () => {} });
  await series.read();
  const shown = await seriesOf(registry);
  expect(shown).toMatchObject({
    'queue_jobs{queue="ingest",state="waiting"}': 3,
    'queue_jobs{queue="ingest",state="failed"}': 4,
    'queue_jobs{queue="blend",state="waiting"}': 5,
    'queue_jobs{queue="blend",state="completed"}': 0,
  });
  expect(Object.keys(shown)).toHaveLength(12);
  series.drop();
  expect(await seriesOf(registry)).toEqual({});
});

it('the memory of each Redis is shown apart, and that of none where there is none', async () => {
  const info = (used: number, max: number) =>
    ({
      client: { info: async () => `used_memory:${used}\r\nmaxmemory:${max}\r\n` },
    }) as unknown as RedisConnection;
  const registry = new Registry();
  const series = memorySeries(registry, { queues: info(3, 4), caches: info(5, 0) });
  for (const each of series) await each.read();
  expect(await seriesOf(registry)).toEqual({
    'redis_memory_used_bytes{store="queues"}': 3,
    'redis_memory_max_bytes{store="queues"}': 4,
    'redis_memory_used_bytes{store="caches"}': 5,
    'redis_memory_max_bytes{store="caches"}': 0,
  });
  series[1]?.drop();
  expect(Object.keys(await seriesOf(registry))).toEqual([
    'redis_memory_used_bytes{store="queues"}',
    'redis_memory_max_bytes{store="queues"}',
  ]);
  expect(memorySeries(new Registry(), { queues: undefined })).toEqual([]);
});

it('a snapshot is shown while there is one', async () => {
  let held: { dataVersion: bigint } | undefined = { dataVersion: 42n };
  let at: number | undefined = performance.now() - 60_000;
  const registry = new Registry();
  snapshotSeries(registry, { current: () => held, confirmedAt: () => at });
  expect(await seriesOf(registry)).toEqual({
    snapshot_version: 42,
    snapshot_age_seconds: expect.closeTo(60, -1),
  });
  [held, at] = [undefined, undefined];
  expect(await seriesOf(registry)).toEqual({});
});

describe('series that are counted', () => {
  it('are requests by method, route and status, those of made-up methods together', async () => {
    const { countRequest, countCacheHit, registry, read } = openMetrics();
    countRequest('GET', '/v2/rates', 200, 0.003);
    countRequest('GET', '/v2/rates', 200, 3);
    countRequest('GET', '/v2/rates', 404, 0.003);
    for (const method of ['BREW', 'get']) countRequest(method, 'unmatched', 405, 0.1);
    for (let again = 0; again < 3; again++) countCacheHit();
    const shown = await seriesOf(registry);
    const requests = (labels: string) => shown[`http_request_duration_seconds_${labels}`];
    expect(requests('count{method="GET",route="/v2/rates",status="200"}')).toBe(2);
    expect(requests('sum{method="GET",route="/v2/rates",status="200"}')).toBeCloseTo(3.003);
    expect(requests('bucket{le="0.005",method="GET",route="/v2/rates",status="200"}')).toBe(1);
    expect(requests('count{method="GET",route="/v2/rates",status="404"}')).toBe(1);
    expect(requests('count{method="other",route="unmatched",status="405"}')).toBe(2);
    expect(shown.response_cache_hits_total).toBe(3);
    expect(parsed(await read())).toEqual(shown);
  });

  it('are upstreams with their circuits, closed until they are said to be otherwise', async () => {
    const { upstream, registry } = openMetrics();
    upstream.requested('weather', 'answered', 700);
    const circuits = async () => {
      const shown = Object.entries(await seriesOf(registry));
      return shown
        .filter(([name, value]) => name.startsWith('upstream_circuit') && value === 1)
        .map(([name]) => name);
    };
    expect(await circuits()).toEqual(['upstream_circuit{upstream="weather",state="closed"}']);
    upstream.circuit('weather', 'open');
    upstream.requested('weather', 'open-circuit', 0);
    expect(await circuits()).toEqual(['upstream_circuit{upstream="weather",state="open"}']);
    const shown = await seriesOf(registry);
    expect(Object.keys(shown).filter((name) => name.startsWith('upstream_circuit'))).toHaveLength(3);
    expect(shown['upstream_duration_seconds_sum{upstream="weather",outcome="answered"}']).toBe(0.7);
  });

  it('are reads of the cache', async () => {
    const { watchCache, registry } = openMetrics();
    const bytes = new Uint8Array(1);
    const cache = watchCache({
      ...{ get: async (key: string) => (key === 'kept' ? bytes : undefined), set: async () => {} },
      ...({} as Pick<Parameters<typeof watchCache>[0], 'close'>),
    });
    expect(await cache.get('kept')).toBe(bytes);
    for (let again = 0; again < 2; again++) expect(await cache.get('other')).toBeUndefined();
    expect(await seriesOf(registry)).toMatchObject({
      'cache_reads_total{result="hit"}': 1,
      'cache_reads_total{result="miss"}': 2,
    });
  });
});

describe('the series of several processes', () => {
  it('are asked for by number of the one that runs them, and a 503 where one does not answer', async () => {
    const sent: { id: number }[] = [];
    const before = process.listeners('message');
    const { send } = process;
    const asked = (message: { type?: string; id: number }) =>
      message.type === 'metrics wanted'
        ? sent.push(message) > 0
        : send !== undefined && Reflect.apply(send, process, [message]);
    Object.assign(process, { send: asked });
    try {
      const read = metricsOfAll(new Registry());
      const [first, second, third] = [read(), read(), read()];
      expect(sent).toEqual([1, 2, 3].map((id) => ({ type: 'metrics wanted', id })));
      const tell = (message: object) => process.emit('message', message, undefined);
      tell({ type: 'other', id: 1, text: 'not this' });
      tell({ type: 'metrics', id: 9, text: 'nobody waits for it' });
      tell({ type: 'metrics', id: 2, text: 'two' });
      tell({ type: 'metrics', id: 1, text: 'one' });
      tell({ type: 'metrics', id: 3 });
      expect([await first, await second]).toEqual(['one', 'two']);
      await expect(third).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    } finally {
      Object.assign(process, { send });
      for (const added of process.listeners('message')) {
        if (!before.includes(added)) process.off('message', added);
      }
    }
  });

  it('are collected for each that asks while it is there', async () => {
    const before = cluster.listeners('message');
    answerForAll();
    try {
      const send = vi.fn();
      const worker = (isConnected: boolean) => ({ isConnected: () => isConnected, send });
      cluster.emit('message', worker(true), { type: 'other', id: 5 });
      cluster.emit('message', worker(false), { type: 'metrics wanted', id: 6 });
      cluster.emit('message', worker(true), { type: 'metrics wanted', id: 7 });
      await vi.waitFor(() => expect(send).toHaveBeenCalled());
      expect(send.mock.calls).toEqual([[{ type: 'metrics', id: 7, text: expect.any(String) }]]);
    } finally {
      for (const added of cluster.listeners('message')) {
        if (!before.includes(added)) cluster.off('message', added as () => void);
      }
    }
  });
});

it('a probe of a Redis writes, and tells why it can not', async () => {
  const watch = { failed: vi.fn(), recovered: vi.fn(), responded: vi.fn() };
  const connection = (set: () => Promise<unknown>) => ({ client: { set: vi.fn(set) }, watch });
  const open = (redis: ReturnType<typeof connection>) =>
    openProbes({ database, cacheRedis: redis as unknown as RedisConnection, tryRawRows: async () => {} });
  const well = connection(async () => 'OK');
  const probes = open(well);
  expect(await probes.cache()).toBe('up');
  expect(well.client.set.mock.calls).toEqual([['tried', '1', 'EX', 10]]);
  expect([await probes.redis(), await probes.queue(), await probes.database()]).toEqual([
    'unused',
    'unused',
    'up',
  ]);
  expect([watch.recovered.mock.calls.length, watch.failed.mock.calls.length]).toEqual([1, 0]);
  const full = new Error('OOM command not allowed');
  expect(await open(connection(() => Promise.reject(full))).cache()).toBe('full');
  expect(watch.failed.mock.calls).toEqual([[full]]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const silent = open(connection(() => new Promise(() => {}))).cache();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await silent).toBe('down');
});
