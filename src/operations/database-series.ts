import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../core/database/database.js';
import type { Clock } from '../../core/domain/clock.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { providerStatus } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { publishesMissed } from '../../core/domain/publish-schedule.js';

/** Series whose values are read when they are asked for. */
export interface ReadSeries {
  /** Throws where they can't be read. */
  read(): Promise<void>;
  /** Takes them away: no value is better than an old one. */
  drop(): void;
}

interface ProviderRow {
  key: string;
  end_date: CalendarDate | null;
  last_error: string | null;
  /** Seconds since 1970. */
  success: number | null;
  succeeded: number;
  failed: number;
  rows_new: number;
  rows_corrected: number;
  rows_dropped: number;
}

const QUERY_MS = 2_000;

const PROVIDERS = `
  select p.key, p.end_date, p.last_error, extract(epoch from p.last_success_at)::float8 as success,
    coalesce(r.succeeded, 0) as succeeded, coalesce(r.failed, 0) as failed,
    coalesce(r.rows_new, 0) as rows_new, coalesce(r.rows_corrected, 0) as rows_corrected,
    coalesce(r.rows_dropped, 0) as rows_dropped
  from providers p left join (
    select provider, count(*) filter (where outcome = 'succeeded')::float8 as succeeded,
      count(*) filter (where outcome = 'failed')::float8 as failed, sum(rows_new)::float8 as rows_new,
      sum(rows_corrected)::float8 as rows_corrected, sum(dropped.count)::float8 as rows_dropped
    from ingest_runs
      left join lateral (select sum(value::int) as count from jsonb_each_text(rows_dropped)) dropped on true
    group by provider
  ) r on r.provider = p.key`;

/** How each provider is doing, and the newest data version, from PostgreSQL. */
export function databaseSeries(registry: Registry, { pool }: Database, clock: Clock): ReadSeries {
  const registers = [registry];
  const version = new Gauge({
    name: 'almanac_data_version',
    help: 'The newest data version that is committed.',
    registers,
  });
  const success = new Gauge({
    name: 'almanac_provider_last_success_timestamp_seconds',
    help: 'When a provider was last asked with success.',
    labelNames: ['provider'],
    registers,
  });
  const missed = new Gauge({
    name: 'almanac_provider_missed_publishes',
    help: 'Publishes that a provider should have made by its schedule and that have not arrived.',
    labelNames: ['provider'],
    registers,
  });
  const status = new Gauge({
    name: 'almanac_provider_status',
    help: '1 for the status of a provider: fresh, late, failing, needs_key, archive or pending.',
    labelNames: ['provider', 'status'],
    registers,
  });
  const runs = new Counter({
    name: 'almanac_ingest_runs_total',
    help: 'Runs that asked a provider, by how they ended.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const rows = new Counter({
    name: 'almanac_ingest_rows_total',
    help: 'Rows that came from a provider: new, corrected, or dropped by validation.',
    labelNames: ['provider', 'kind'],
    registers,
  });
  const drop = () => {
    for (const metric of [version, success, missed, status, runs, rows]) metric.reset();
    version.remove();
  };

  function show(provider: Provider, row: ProviderRow | undefined, now: Date): void {
    const { key } = provider;
    const endDate = row?.end_date ?? null;
    const state = providerStatus(provider, { endDate, lastError: row?.last_error ?? null }, now);
    status.set({ provider: key, status: state }, 1);
    const late = publishesMissed(provider, endDate, now);
    if (late !== null) missed.set({ provider: key }, late);
    if (!row) return;
    if (row.success !== null) success.set({ provider: key }, row.success);
    runs.inc({ provider: key, outcome: 'succeeded' }, row.succeeded);
    runs.inc({ provider: key, outcome: 'failed' }, row.failed);
    rows.inc({ provider: key, kind: 'new' }, row.rows_new);
    rows.inc({ provider: key, kind: 'corrected' }, row.rows_corrected);
    rows.inc({ provider: key, kind: 'dropped' }, row.rows_dropped);
  }

  return {
    drop,
    async read() {
      const newest = await pool.query<{ version: number }>({
        text: 'select coalesce(max(version), 0)::float8 as version from data_versions',
        ...TIMEOUT,
      });
      const found = await pool.query<ProviderRow>({ text: PROVIDERS, ...TIMEOUT });
      const byKey = new Map(found.rows.map((row) => [row.key, row]));
      drop();
      version.set(newest.rows[0]?.version ?? 0);
      for (const provider of providers) show(provider, byKey.get(provider.key), clock());
    },
  };
}

// The driver takes it with each query, though its types don't say so.
const TIMEOUT = { query_timeout: QUERY_MS };
