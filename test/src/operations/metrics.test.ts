import { collectDefaultMetrics } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { failRun, startRun, succeedRun } from '../../../core/database/ingest-runs.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { openMetrics } from '../../../src/operations/metrics.js';
import { startApi } from '../../support/api.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { startPostgres } from '../../support/postgres-server.js';
import { someRates, storeRows } from '../../support/rates.js';
import { type OperatedApi, operatedApi } from './support.js';

/** Name and labels of every series, with its value. */
async function scrape(url: string): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

describe('GET /metrics', () => {
  let run: OperatedApi;
  let upstream: HttpStub;

  beforeAll(async () => {
    upstream = await httpStub({ '/': answer({ services: [] }) });
    run = await operatedApi(false, { BUS_ARRIVALS_URL: upstream.url });
    await storeRows(run.database, someRates('2026-03-16'));
    await run.api.catchUp();
  });
  afterAll(async () => {
    await run?.close();
    await upstream?.close();
  });

  it('counts requests by template of the route, also those served from the response cache', async () => {
    const { url } = run.api;
    for (let times = 0; times < 4; times++) {
      await (await fetch(`${url}/v2/rates?quotes=USD`)).text();
      await (await fetch(`${url}/v2/rate/EUR/USD?date=2026-03-18`)).text();
    }
    await (await fetch(`${url}/v2/currency/NOPE`)).text();
    await (await fetch(`${url}/made/up`)).text();
    await fetch(`${url}/v2/rates`, { method: 'HEAD' });
    await run.admin('/admin/queues/api/queues');
    const series = await scrape(url);
    const count = (method: string, route: string, status: number) =>
      series.get(
        `almanac_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      );
    expect(count('GET', '/v2/rates', 200)).toBe(4);
    expect(count('GET', '/v2/rate/:base/:quote', 200)).toBe(4);
    expect(count('GET', '/v2/currency/:code', 404)).toBe(1);
    expect(count('GET', 'unmatched', 404)).toBe(1);
    expect(count('HEAD', '/v2/rates', 200)).toBe(1);
    expect(count('GET', '/admin/queues/*', 200)).toBe(1);
    expect(series.get('almanac_response_cache_hits_total')).toBeGreaterThanOrEqual(2);
    expect([...series.keys()].join('\n')).not.toMatch(/made|NOPE|\bEUR\b/);
  });

  it('shows the snapshot, the providers and the jobs', async () => {
    const { pool } = run.database;
    const counts = { rowsUnchanged: 0, rowsSkipped: {}, noData: {}, responses: 1, responseBytes: 9 };
    const begin = () =>
      startRun(run.database, {
        ...{ provider: 'ECB', reason: 'schedule', reading: 1, from: '2026-03-16', to: '2026-03-20' },
      });
    await inTransaction(run.database, async (transaction) => {
      const rowsDropped = { 'not-positive': 3, future: 1 };
      const some = { ...counts, rowsNew: 10, rowsCorrected: 2, rowsDropped };
      await succeedRun(transaction, await begin(), 'ECB', some);
    });
    await inTransaction(run.database, async (transaction) => {
      const some = { ...counts, rowsNew: 5, rowsCorrected: 0, rowsDropped: {} };
      await succeedRun(transaction, await begin(), 'ECB', some);
    });
    await inTransaction(run.database, async (transaction) => {
      await failRun(transaction, await begin(), 'ECB', { error: 'no answer', fault: 'worker' });
    });
    await pool.query(`update providers set last_success_at = '2026-03-20T16:00:00Z' where key = 'ECB'`);
    await enqueueIngest(run.queues.ingest, { provider: 'ECB', from: '2026-03-01' });
    // Values are kept for five seconds.
    await expect
      .poll(() => scrape(run.api.url), { timeout: 10_000, interval: 500 })
      .toSatisfy(
        (series: Map<string, number>) =>
          (series.get('almanac_queue_jobs{queue="ingest",state="waiting"}') ?? 0) > 0,
      );
    const series = await scrape(run.api.url);
    expect(series.get('almanac_provider_last_success_timestamp_seconds{provider="ECB"}')).toBe(
      Date.parse('2026-03-20T16:00:00Z') / 1000,
    );
    // Some provider's next slot.
    expect(series.get('almanac_next_success_expected_timestamp_seconds')).toBe(
      Date.parse('2026-03-20T16:30:00Z') / 1000,
    );
    expect(series.get('almanac_ingest_rows_total{provider="ECB",kind="new"}')).toBe(15);
    expect(series.get('almanac_ingest_rows_total{provider="ECB",kind="corrected"}')).toBe(2);
    expect(series.get('almanac_ingest_rows_total{provider="ECB",kind="dropped"}')).toBe(4);
    expect(series.get('almanac_ingest_runs_total{provider="ECB",outcome="succeeded"}')).toBe(2);
    expect(series.get('almanac_ingest_runs_total{provider="ECB",outcome="failed"}')).toBe(1);
    expect(series.get('almanac_provider_missed_publishes{provider="ECB"}')).toBeGreaterThan(1);
    expect(series.get('almanac_provider_status{provider="ECB",status="late"}')).toBe(1);
    expect(series.get('almanac_queue_jobs{queue="blend",state="failed"}')).toBe(0);
    expect(series.get('almanac_dependency_up{dependency="database"}')).toBe(1);
    expect(series.get('almanac_dependency_up{dependency="queue"}')).toBe(1);
    expect(series.has('almanac_dependency_up{dependency="redis"}')).toBe(false);
    expect(series.get('almanac_snapshot_version')).toBe(series.get('almanac_data_version'));
    expect(series.get('almanac_snapshot_age_seconds')).toBeLessThan(300);
  });

  it('shows upstreams, their circuits and the cache', async () => {
    const ask = async (code: string) => (await fetch(`${run.api.url}/sg/bus-arrivals?code=${code}`)).status;
    expect(await ask('83139')).toBe(200);
    expect(await ask('83139')).toBe(200);
    upstream.route('/', answer('broken', 404));
    for (let stop = 10000; stop < 10006; stop++) await ask(String(stop));
    const series = await scrape(run.api.url);
    const of = (name: string, labels: string) => series.get(`almanac_${name}{${labels}}`);
    expect(of('upstream_duration_seconds_count', 'upstream="arrivelah",outcome="answered"')).toBe(1);
    expect(of('upstream_duration_seconds_count', 'upstream="arrivelah",outcome="status"')).toBe(5);
    expect(of('upstream_duration_seconds_count', 'upstream="arrivelah",outcome="open-circuit"')).toBe(1);
    expect(of('upstream_circuit', 'upstream="arrivelah",state="open"')).toBe(1);
    expect(of('upstream_circuit', 'upstream="arrivelah",state="closed"')).toBe(0);
    expect(of('cache_reads_total', 'result="hit"')).toBe(1);
    expect(of('cache_reads_total', 'result="miss"')).toBeGreaterThanOrEqual(7);
  });

  it('has one registry for each process, with its own figures where they are wanted', async () => {
    const metrics = openMetrics();
    collectDefaultMetrics({ register: metrics.registry });
    const other = await startApi(run.database, { parts: { metrics } });
    try {
      const series = await scrape(other.url);
      expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
      expect([...series.keys()].some((key) => key.startsWith('almanac_upstream'))).toBe(false);
    } finally {
      await other.close();
    }
  });
});

describe('GET /metrics while reading takes too long', () => {
  it.concurrent.each(['set_aside_windows', 'bullmq.job'])(
    'has the server end the statement on %s',
    async (table) => {
      const run = await operatedApi(false);
      const { pool } = run.database;
      const locked = await pool.connect();
      try {
        await run.queues.ingest.getJobCounts(); // Its tables are there.
        await scrape(run.api.url);
        await locked.query(`begin; lock table ${table}`);
        const waiting = async () => {
          const { rowCount } = await pool.query(
            `select from pg_locks join pg_stat_activity using (pid)
           where relation = $1::regclass and not granted and datname = current_database()`,
            [table],
          );
          return (rowCount ?? 0) > 0;
        };
        const soon = { timeout: 30_000, interval: 100 };
        // Values are kept for five seconds.
        await vi.waitFor(async () => {
          await scrape(run.api.url);
          expect(await waiting()).toBe(true);
        }, soon);
        const started = performance.now();
        await vi.waitFor(async () => expect(await waiting()).toBe(false), soon);
        expect(performance.now() - started).toBeLessThan(40_000);
      } finally {
        await locked.query('rollback');
        locked.release();
        await run.close();
      }
    },
  );
});

describe('GET /metrics while PostgreSQL is unreachable', () => {
  it('leaves out what comes from there, in bounded time', async () => {
    const server = await startPostgres();
    const database = openDatabase(server.url);
    await applyMigrations(database);
    await storeRows(database, someRates('2026-03-18'));
    const api = await startApi(database);
    try {
      const before = await scrape(api.url);
      expect(before.has('almanac_data_version')).toBe(true);
      await server.stop();
      await expect
        .poll(() => scrape(api.url), { timeout: 15_000, interval: 500 })
        .toSatisfy((series: Map<string, number>) => !series.has('almanac_data_version'));
      const started = performance.now();
      const series = await scrape(api.url);
      expect(performance.now() - started).toBeLessThan(10_000);
      expect([...series.keys()].filter((key) => key.startsWith('almanac_provider'))).toEqual([]);
      expect(series.get('almanac_dependency_up{dependency="database"}')).toBe(0);
      expect(series.get('almanac_snapshot_version')).toBeGreaterThan(0);
      expect((await fetch(`${api.url}/v2/rates?date=2026-03-18`)).status).toBe(200);
    } finally {
      await api.close();
      await database.close().catch(() => undefined);
    }
  });
});
