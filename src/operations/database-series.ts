import type { Registry } from 'prom-client';
import type { Database } from '../../core/database/database.js';
import { type ProviderStatistics, readStatistics } from '../../core/database/statistics.js';
import type { Clock } from '../../core/domain/clock.js';
import { isNeedsKeyError, providerStatus } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { nextPublishOfAny, publishesMissed } from '../../core/domain/publish-schedule.js';
import { counterIn, gaugeIn, type ReadSeries, readSeries, type Sample } from './server-series.js';

const LIMIT_MS = 2_000;

export function databaseSeries(registry: Registry, database: Database, clock: Clock): ReadSeries {
  const metrics = openMetrics(registry);
  return readSeries(async () => {
    const statistics = await readStatistics(database, LIMIT_MS);
    const byKey = new Map(statistics.providers.map((row) => [row.key, row]));
    const next = nextSuccessExpected(byKey);
    return [
      [metrics.version, {}, statistics.dataVersion],
      [metrics.expected, {}, next && next.getTime() / 1000],
      ...providers.flatMap((provider) => samplesOf(metrics, provider, byKey.get(provider.key), clock())),
      ...statistics.suspects.map(
        ({ provider, status, count }): Sample => [metrics.suspects, { provider, status }, count],
      ),
    ];
  });
}

function openMetrics(registry: Registry) {
  const gauge = (name: string, help: string, ...labels: string[]) => gaugeIn(registry, name, help, ...labels);
  const expected = 'The first polling slot of any provider after the newest success of all of them.';
  const missed = 'Publishes that a provider should have made by its schedule and that have not arrived.';
  const status = '1 for the status of a provider: fresh, late, failing, needs_key, archive or pending.';
  const runs = 'Ingest runs of a provider, by outcome.';
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
    runs: counterIn(registry, 'almanac_ingest_runs_total', runs, 'provider', 'outcome'),
    rows: counterIn(registry, 'almanac_ingest_rows_total', rows, 'provider', 'kind'),
    setAside: gauge('almanac_provider_set_aside_windows', setAside, 'provider'),
    thin: gauge('almanac_provider_thin_day', thin, 'provider'),
    suspects: gauge('almanac_suspects', suspects, 'provider', 'status'),
  };
}

function nextSuccessExpected(rows: ReadonlyMap<string, ProviderStatistics>): Date | null {
  const newest = Math.max(...[...rows.values()].map(({ lastSuccess }) => lastSuccess ?? 0));
  const readable = providers.filter(({ key }) => {
    const row = rows.get(key);
    return row !== undefined && !isNeedsKeyError(row.lastError);
  });
  return newest > 0 ? nextPublishOfAny(readable, new Date(newest * 1000)) : null;
}

function samplesOf(
  { status, missed, success, setAside, thin, runs, rows }: ReturnType<typeof openMetrics>,
  provider: Provider,
  row: ProviderStatistics | undefined,
  now: Date,
): Sample[] {
  const endDate = row?.endDate ?? null;
  const state = providerStatus(provider, { endDate, lastError: row?.lastError ?? null }, now);
  const labels = { provider: provider.key };
  return [
    [status, { ...labels, status: state }, 1],
    [missed, labels, publishesMissed(provider, endDate, now)],
    [success, labels, row?.lastSuccess],
    [setAside, labels, row?.setAside],
    [thin, labels, row && Number(row.isIncomplete)],
    [runs, { ...labels, outcome: 'succeeded' }, row?.succeeded],
    [runs, { ...labels, outcome: 'failed' }, row?.failed],
    [rows, { ...labels, kind: 'new' }, row?.rowsNew],
    [rows, { ...labels, kind: 'corrected' }, row?.rowsCorrected],
    [rows, { ...labels, kind: 'dropped' }, row?.rowsDropped],
    [rows, { ...labels, kind: 'skipped' }, row?.rowsSkipped],
  ];
}
