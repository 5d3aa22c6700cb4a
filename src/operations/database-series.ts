import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../core/database/database.js';
import { type ProviderStatistics, readStatistics } from '../../core/database/statistics.js';
import type { Clock } from '../../core/domain/clock.js';
import { isNeedsKeyError, providerStatus } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { nextPublishOfAny, publishesMissed } from '../../core/domain/publish-schedule.js';

/** Series whose values are read for a scrape. */
export interface ReadSeries {
  /** Throws where they can't be read. */
  read(): Promise<void>;
  /** Removes the values: none are better than old ones. */
  drop(): void;
}

const LIMIT_MS = 2_000;

/** Series of the providers and the newest data version, read from PostgreSQL. */
export function databaseSeries(registry: Registry, database: Database, clock: Clock): ReadSeries {
  const registers = [registry];
  const version = new Gauge({
    name: 'almanac_data_version',
    help: 'The newest data version that is committed.',
    registers,
  });
  const success = new Gauge({
    name: 'almanac_provider_last_success_timestamp_seconds',
    help: 'When a provider was last read successfully.',
    labelNames: ['provider'],
    registers,
  });
  const expected = new Gauge({
    name: 'almanac_next_success_expected_timestamp_seconds',
    help: 'The first polling slot of any provider after the newest success of all of them.',
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
    help: 'Ingest runs of a provider, by outcome.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const rows = new Counter({
    name: 'almanac_ingest_rows_total',
    help: 'Rows that came from a provider: new, corrected, dropped by validation, or skipped by its feed.',
    labelNames: ['provider', 'kind'],
    registers,
  });
  const setAside = new Gauge({
    name: 'almanac_provider_set_aside_windows',
    help: 'Windows of a backfill that failed again and again, so that it went on behind them.',
    labelNames: ['provider'],
    registers,
  });
  const thin = new Gauge({
    name: 'almanac_provider_thin_day',
    help: '1 where the newest day of a provider has less than half of its usual currencies.',
    labelNames: ['provider'],
    registers,
  });
  const suspects = new Gauge({
    name: 'almanac_suspects',
    help: 'Rates of a provider that are or were suspect: held, confirmed, accepted, rejected or corrected.',
    labelNames: ['provider', 'status'],
    registers,
  });
  const drop = () => {
    for (const metric of [success, missed, status, runs, rows, setAside, thin, suspects]) metric.reset();
    version.remove();
    expected.remove();
  };

  function showExpected(rows: ReadonlyMap<string, ProviderStatistics>): void {
    const newest = Math.max(...[...rows.values()].map(({ lastSuccess }) => lastSuccess ?? 0));
    const asked = providers.filter(({ key }) => {
      const row = rows.get(key);
      return row !== undefined && !isNeedsKeyError(row.lastError);
    });
    const next = newest > 0 ? nextPublishOfAny(asked, new Date(newest * 1000)) : null;
    if (next) expected.set(next.getTime() / 1000);
  }

  function show(provider: Provider, row: ProviderStatistics | undefined, now: Date): void {
    const { key } = provider;
    const endDate = row?.endDate ?? null;
    const state = providerStatus(provider, { endDate, lastError: row?.lastError ?? null }, now);
    status.set({ provider: key, status: state }, 1);
    const late = publishesMissed(provider, endDate, now);
    if (late !== null) missed.set({ provider: key }, late);
    if (!row) return;
    if (row.lastSuccess !== null) success.set({ provider: key }, row.lastSuccess);
    setAside.set({ provider: key }, row.setAside);
    thin.set({ provider: key }, Number(row.isThin));
    runs.inc({ provider: key, outcome: 'succeeded' }, row.succeeded);
    runs.inc({ provider: key, outcome: 'failed' }, row.failed);
    rows.inc({ provider: key, kind: 'new' }, row.rowsNew);
    rows.inc({ provider: key, kind: 'corrected' }, row.rowsCorrected);
    rows.inc({ provider: key, kind: 'dropped' }, row.rowsDropped);
    rows.inc({ provider: key, kind: 'skipped' }, row.rowsSkipped);
  }

  return {
    drop,
    async read() {
      const statistics = await readStatistics(database, LIMIT_MS);
      const byKey = new Map(statistics.providers.map((row) => [row.key, row]));
      drop();
      version.set(statistics.dataVersion);
      showExpected(byKey);
      for (const provider of providers) show(provider, byKey.get(provider.key), clock());
      for (const { provider, status, count } of statistics.suspects)
        suspects.set({ provider, status }, count);
    },
  };
}
