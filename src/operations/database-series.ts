import { Counter, type Registry } from 'prom-client';
import type { Database } from '../../core/database/database.js';
import { type ProviderStatistics, readStatistics } from '../../core/database/statistics.js';
import type { Clock } from '../../core/domain/clock.js';
import { isNeedsKeyError, providerStatus } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { nextPublishOfAny, publishesMissed } from '../../core/domain/publish-schedule.js';
import { gaugeIn, type ReadSeries } from './server-series.js';

const LIMIT_MS = 2_000;

export function databaseSeries(registry: Registry, database: Database, clock: Clock): ReadSeries {
  const series = openSeries(registry);
  return {
    drop: () => drop(series),
    async read() {
      const statistics = await readStatistics(database, LIMIT_MS);
      const byKey = new Map(statistics.providers.map((row) => [row.key, row]));
      drop(series);
      series.version.set(statistics.dataVersion);
      const next = nextSuccessExpected(byKey);
      if (next) series.expected.set(next.getTime() / 1000);
      for (const provider of providers) {
        const row = byKey.get(provider.key);
        showStatus(series, provider, row, clock());
        if (row) showTotals(series, row);
      }
      for (const { provider, status, count } of statistics.suspects)
        series.suspects.set({ provider, status }, count);
    },
  };
}

type Series = ReturnType<typeof openSeries>;

function openSeries(registry: Registry) {
  const gauge = (name: string, help: string, ...labels: string[]) => gaugeIn(registry, name, help, ...labels);
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const expected = 'The first polling slot of any provider after the newest success of all of them.';
  const missed = 'Publishes that a provider should have made by its schedule and that have not arrived.';
  const status = '1 for the status of a provider: fresh, late, failing, needs_key, archive or pending.';
  const rows =
    'Rows that came from a provider: new, corrected, dropped by validation, or skipped by its feed.';
  const thin = '1 where the newest day of a provider has less than half of its usual currencies.';
  const suspects =
    'Rates of a provider that are or were suspect: held, confirmed, accepted, rejected or corrected.';
  const setAside = 'Backfill windows that failed repeatedly and were skipped.';
  const success = 'When a provider was last read successfully.';
  return {
    version: gauge('almanac_data_version', 'The newest data version that is committed.'),
    success: gauge('almanac_provider_last_success_timestamp_seconds', success, 'provider'),
    expected: gauge('almanac_next_success_expected_timestamp_seconds', expected),
    missed: gauge('almanac_provider_missed_publishes', missed, 'provider'),
    status: gauge('almanac_provider_status', status, 'provider', 'status'),
    runs: counter(
      'almanac_ingest_runs_total',
      'Ingest runs of a provider, by outcome.',
      'provider',
      'outcome',
    ),
    rows: counter('almanac_ingest_rows_total', rows, 'provider', 'kind'),
    setAside: gauge('almanac_provider_set_aside_windows', setAside, 'provider'),
    thin: gauge('almanac_provider_thin_day', thin, 'provider'),
    suspects: gauge('almanac_suspects', suspects, 'provider', 'status'),
  };
}

function drop({ version, expected, ...labelled }: Series): void {
  for (const metric of Object.values(labelled)) metric.reset();
  // Without labels, a reset would leave a zero.
  version.remove();
  expected.remove();
}

function nextSuccessExpected(rows: ReadonlyMap<string, ProviderStatistics>): Date | null {
  const newest = Math.max(...[...rows.values()].map(({ lastSuccess }) => lastSuccess ?? 0));
  const readable = providers.filter(({ key }) => {
    const row = rows.get(key);
    return row !== undefined && !isNeedsKeyError(row.lastError);
  });
  return newest > 0 ? nextPublishOfAny(readable, new Date(newest * 1000)) : null;
}

function showStatus(
  { status, missed }: Series,
  provider: Provider,
  row: ProviderStatistics | undefined,
  now: Date,
): void {
  const { key } = provider;
  const endDate = row?.endDate ?? null;
  const state = providerStatus(provider, { endDate, lastError: row?.lastError ?? null }, now);
  status.set({ provider: key, status: state }, 1);
  const late = publishesMissed(provider, endDate, now);
  if (late !== null) missed.set({ provider: key }, late);
}

function showTotals({ success, setAside, thin, runs, rows }: Series, row: ProviderStatistics): void {
  const { key: provider } = row;
  if (row.lastSuccess !== null) success.set({ provider }, row.lastSuccess);
  setAside.set({ provider }, row.setAside);
  thin.set({ provider }, Number(row.isIncomplete));
  runs.inc({ provider, outcome: 'succeeded' }, row.succeeded);
  runs.inc({ provider, outcome: 'failed' }, row.failed);
  rows.inc({ provider, kind: 'new' }, row.rowsNew);
  rows.inc({ provider, kind: 'corrected' }, row.rowsCorrected);
  rows.inc({ provider, kind: 'dropped' }, row.rowsDropped);
  rows.inc({ provider, kind: 'skipped' }, row.rowsSkipped);
}
