import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import type { Queues } from '../../../core/queues/queues.js';
import type { RedisConnection } from '../../../core/queues/redis.js';
import type { RequestContext } from '../../../src/http/route.js';
import type { Probes, Reachability } from '../../../src/operations/health.js';
import { openMetrics } from '../../../src/operations/metrics.js';
import {
  databaseSeries,
  memorySeries,
  metricsRoutes,
  queueSeries,
  snapshotSeries,
} from '../../../src/operations/metrics-route.js';
import { answer, httpStub } from '../../support/http-stub.js';
import { someRates, storeRows } from '../../support/rates.js';
import { ownDatabase } from '../../worker/ingest/support.js';
import { operatedApi, parseSeries, scrape as scrapeService } from './support.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Every series of the project with its value, without the prefix of them all. */
function parsed(text: string): Record<string, number> {
  const own = Object.entries(parseSeries(text)).filter(([name]) => name.startsWith('almanac_'));
  return Object.fromEntries(own.map(([name, value]) => [name.slice('almanac_'.length), value]));
}
const seriesOf = async (registry: Registry) => parsed(await registry.metrics());
/** Once the values that were read are no longer kept. */
const readAgain = (registry: Registry) => {
  const now = Math.ceil(performance.now()) + 5_000;
  vi.spyOn(performance, 'now').mockReturnValue(now);
  return seriesOf(registry);
};

const NOW = '2026-03-20T20:00:00Z';
const clock = () => new Date(NOW);

const database = await ownDatabase();

it('the metrics of a service are what it counts and what it reads', async () => {
  const upstream = await httpStub({ '/': answer({ services: [] }) });
  onTestFinished(upstream.close);
  const { api, admin, queues, close, ...run } = await operatedApi(false, { BUS_ARRIVALS_URL: upstream.url });
  onTestFinished(close);
  await storeRows(run.database, someRates('2026-03-18'));
  await api.catchUp();
  await enqueueIngest(queues.ingest, { provider: 'ECB', from: '2026-03-01' });
  const ask = async (path: string, method = 'GET') => (await fetch(api.url + path, { method })).text();
  for (let times = 0; times < 4; times++) await ask('/v2/rate/EUR/USD?date=2026-03-18');
  for (const path of ['/v2/currency/NOPE', '/made/up']) await ask(path);
  await ask('/v2/rates', 'HEAD');
  await admin('/admin/queues/api/queues');
  for (let twice = 0; twice < 2; twice++) await ask('/sg/bus-arrivals?code=83139');

  let shown: Record<string, number> = {};
  // What can't be read in time is left out.
  await vi.waitFor(async () => {
    shown = await scrapeService(api.url);
    for (const read of ['data_version', 'queue_jobs{queue="blend",', 'dependency_up'])
      expect(Object.keys(shown).join(' ')).toContain(`almanac_${read}`);
  });
  const of = (name: string, labels = '') => shown[`almanac_${name}${labels && `{${labels}}`}`];
  for (const [count, method, route, status] of [
    [4, 'GET', '/v2/rate/:base/:quote', 200],
    [1, 'GET', '/v2/currency/:code', 404],
    [1, 'GET', 'unmatched', 404],
    [1, 'HEAD', '/v2/rates', 200],
    [1, 'GET', '/admin/queues/*', 200],
  ]) {
    const labels = `method="${method}",route="${route}",status="${status}"`;
    expect([labels, of('http_request_duration_seconds_count', labels)]).toEqual([labels, count]);
  }
  expect(of('response_cache_hits_total')).toBe(2);
  expect(Object.keys(shown).join('\n')).not.toMatch(/made|NOPE|\bEUR\b/);
  expect(of('upstream_duration_seconds_count', 'upstream="arrivelah",outcome="answered"')).toBe(1);
  expect(of('upstream_circuit', 'upstream="arrivelah",state="closed"')).toBe(1);
  expect(of('cache_reads_total', 'result="hit"')).toBe(1);
  expect(of('cache_reads_total', 'result="miss"')).toBeGreaterThanOrEqual(1);
  expect(of('snapshot_version')).toBe(of('data_version'));
  expect(of('queue_jobs', 'queue="ingest",state="waiting"')).toBe(1);
  expect(of('provider_status', 'provider="BOC",status="late"')).toBe(1);
  const up = ['database', 'queue', 'redis'].map((name) => of('dependency_up', `dependency="${name}"`));
  expect(up).toEqual([1, 1, undefined]);
});

describe('series of the database', () => {
  beforeEach(async () => {
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
    databaseSeries(registry, database, clock);
    // What was counted is read anew each time, not added up.
    await seriesOf(registry);
    const shown = await readAgain(registry);
    const of = (name: string, labels: string) => shown[`${name}{provider=${labels}}`];
    const seconds = (time: string) => Date.parse(`2026-03-${time}:00Z`) / 1000;
    expect(shown.data_version).toBe(3);
    expect(shown.next_success_expected_timestamp_seconds).toBe(seconds('20T16:30'));
    for (const [provider, status, success, missed, thin, setAside] of [
      ['ECB', 'late', seconds('20T16:00'), 4, 1, 2],
      ['BOC', 'failing', seconds('19T16:00'), expect.any(Number), 0, 0],
      ['FRED', 'needs_key', undefined, undefined, 0, 0],
      ['NBU', 'pending', undefined, undefined, undefined, undefined],
    ]) {
      expect(of('provider_status', `"${provider}",status="${status}"`)).toBe(1);
      expect(of('provider_last_success_timestamp_seconds', `"${provider}"`)).toEqual(success);
      expect(of('provider_missed_publishes', `"${provider}"`)).toEqual(missed);
      expect(of('provider_thin_day', `"${provider}"`)).toEqual(thin);
      expect(of('provider_set_aside_windows', `"${provider}"`)).toEqual(setAside);
    }
    const runs = ['succeeded', 'failed'].map((outcome) =>
      of('ingest_runs_total', `"ECB",outcome="${outcome}"`),
    );
    const kinds = ['new', 'corrected', 'dropped', 'skipped'];
    const rows = kinds.map((kind) => of('ingest_rows_total', `"ECB",kind="${kind}"`));
    expect([...runs, ...rows]).toEqual([11, 12, 13, 14, 15, 16]);
    const statuses = Object.keys(shown).filter((name) => name.startsWith('provider_status'));
    expect(statuses).toHaveLength(providers.length);

    await database.pool.query('alter table thin_days rename to gone');
    expect(await readAgain(registry)).toEqual({});
    await database.pool.query('alter table gone rename to thin_days');
  });

  it('expect the next success of a provider that has a key, once there was one at all', async () => {
    const registry = new Registry();
    databaseSeries(registry, database, clock);
    const expected = async () => (await readAgain(registry)).next_success_expected_timestamp_seconds;
    await database.pool.query(`update providers set last_error = 'needs_key: X' where key <> 'BOC'`);
    // The bank's own slot, on the next day with one.
    expect(await expected()).toBeGreaterThan(Date.parse('2026-03-20T16:30:00Z') / 1000);
    await database.pool.query('update providers set last_success_at = null');
    expect(await expected()).toBeUndefined();
  });
});

type ProbeState = { now: Reachability | 'never' | 'broken' };

/** Scrapes with probes whose newest state is given; `read` counts how often they were asked. */
function scraper(state: ProbeState) {
  const read = vi.fn();
  const probe = async (): Promise<Reachability> => {
    read();
    if (state.now === 'never') return new Promise(() => {});
    if (state.now === 'broken') throw new Error('broken');
    return state.now;
  };
  const unused = async (): Promise<Reachability> => 'unused';
  const probes: Probes = { database: probe, rawRows: unused, redis: unused, queue: unused };
  const [route] = metricsRoutes({
    ...{ metrics: openMetrics(), probes, database, clock },
    snapshot: { current: () => ({ dataVersion: 7n }), confirmedAt: () => performance.now() - 2_000 },
  });
  const scrape = async () => {
    const reply = await route?.handle({}, {} as RequestContext);
    if (!reply || !('content' in reply)) throw new Error('no content');
    expect(reply.content?.type).toMatch(/^text\/plain; version=0\.0\.4/);
    return parsed(String(reply.content?.body));
  };
  return { read, scrape };
}
const up = 'dependency_up{dependency="database"}';

it('GET /metrics reads values every five seconds at most, and shows all of them', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const state: ProbeState = { now: 'up' };
  const { read, scrape } = scraper(state);
  const [shown] = await Promise.all([scrape(), scrape()]);
  expect(shown).toMatchObject({
    ...{ [up]: 1, 'dependency_state{dependency="database",state="up"}': 1 },
    ...{ data_version: expect.any(Number), log_lines_dropped_total: expect.any(Number) },
    ...{ snapshot_version: 7, snapshot_age_seconds: 2 },
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

it.each([
  ['never', 2],
  ['broken', 3],
] as const)('GET /metrics leaves out what comes %s, and tries again at once', async (how, reads) => {
  const state: ProbeState = { now: 'up' };
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
  expect(read).toHaveBeenCalledTimes(reads);
});

it('jobs are counted by queue and state, and not once they can not be', async () => {
  const counts = (count: number) => ({ getJobCounts: async () => ({ waiting: count, failed: count + 1 }) });
  const queues = { ingest: counts(3), blend: counts(5) } as unknown as Queues;
  const registry = new Registry();
  let get = async () => queues;
  queueSeries(registry, { get: () => get(), close: async () => {} });
  const shown = await seriesOf(registry);
  expect(shown).toMatchObject({
    'queue_jobs{queue="ingest",state="waiting"}': 3,
    'queue_jobs{queue="ingest",state="failed"}': 4,
    'queue_jobs{queue="blend",state="waiting"}': 5,
    'queue_jobs{queue="blend",state="completed"}': 0,
  });
  expect(Object.keys(shown)).toHaveLength(12);
  get = () => Promise.reject(new Error('gone'));
  expect(await readAgain(registry)).toEqual({});
});

it('the memory of Redis is shown', async () => {
  const info = vi.fn(async () => 'used_memory:3\r\nmaxmemory:4\r\n');
  const registry = new Registry();
  memorySeries(registry, { client: { info } } as unknown as RedisConnection);
  expect(await seriesOf(registry)).toEqual({ redis_memory_used_bytes: 3, redis_memory_max_bytes: 4 });
  info.mockRejectedValue(new Error('gone'));
  expect(await readAgain(registry)).toEqual({});
});

it('a snapshot is shown while there is one', async () => {
  let held: { dataVersion: bigint } | undefined = { dataVersion: 42n };
  let at: number | undefined = performance.now() - 60_000;
  const registry = new Registry();
  snapshotSeries(registry, { current: () => held, confirmedAt: () => at });
  const shown = { snapshot_version: 42, snapshot_age_seconds: expect.closeTo(60, -1) };
  expect(await seriesOf(registry)).toEqual(shown);
  [held, at] = [undefined, undefined];
  expect(await seriesOf(registry)).toEqual({});
});

it('series that are counted are requests by method, route and status, those of made-up methods together', async () => {
  const { countRequest, countCacheHit, registry } = openMetrics();
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
});

it('series that are counted are upstreams with their circuits, closed until they are said to be otherwise', async () => {
  const { upstream, registry } = openMetrics();
  upstream.requested('weather', 'answered', 700);
  const circuits = async () => {
    const states = ['closed', 'half-open', 'open'].map((state) => `upstream="weather",state="${state}"`);
    const shown = await seriesOf(registry);
    return states.map((labels) => shown[`upstream_circuit{${labels}}`]);
  };
  expect(await circuits()).toEqual([1, 0, 0]);
  upstream.circuit('weather', 'open');
  upstream.requested('weather', 'open-circuit', 0);
  expect(await circuits()).toEqual([0, 0, 1]);
  const duration = 'upstream_duration_seconds_sum{upstream="weather",outcome="answered"}';
  expect((await seriesOf(registry))[duration]).toBe(0.7);
});
