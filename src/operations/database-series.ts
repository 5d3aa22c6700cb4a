import type { Registry } from 'prom-client';
import type { Database } from '../../core/database/database.js';
import { type ProviderStatistics, readStatistics } from '../../core/database/statistics.js';
import type { Clock } from '../../core/domain/clock.js';
import { isNeedsKeyError, providerStatus } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { nextPublishOfAny, publishesMissed } from '../../core/domain/publish-schedule.js';
import { readMetrics, type Sample } from './read-metrics.js';

type Statistics = Awaited<ReturnType<typeof readStatistics>>;
type Row = ProviderStatistics | undefined;

const LIMIT_MS = 2_000;

export function databaseSeries(registry: Registry, database: Database, clock: Clock): void {
  const metric = readMetrics(registry, () => readStatistics(database, LIMIT_MS));
  const version = 'The newest data version that is committed.';
  metric('almanac_data_version', version, ({ dataVersion }) => [[{}, dataVersion]]);
  const success = 'When a provider was last read successfully.';
  const successOf = ofEach((row) => [[{}, row?.lastSuccess]]);
  metric('almanac_provider_last_success_timestamp_seconds', success, successOf, 'provider');
  const expected = 'The first polling slot of any provider after the newest success of all of them.';
  metric('almanac_next_success_expected_timestamp_seconds', expected, (found) => [
    [{}, nextSuccessExpected(found)],
  ]);
  const missed = 'Publishes that a provider should have made by its schedule and that have not arrived.';
  const missedBy = ofEach((row, one) => [[{}, publishesMissed(one, row?.endDate ?? null, clock())]]);
  metric('almanac_provider_missed_publishes', missed, missedBy, 'provider');
  const status = '1 for the status of a provider: fresh, late, failing, needs_key, archive or pending.';
  const statuses = ofEach((row, provider) => [[{ status: statusOf(provider, row, clock()) }, 1]]);
  metric('almanac_provider_status', status, statuses, 'provider', 'status');
  const runs = 'Ingest runs of a provider, by outcome.';
  const runsOf = ofEach((row) => [
    [{ outcome: 'succeeded' }, row?.succeeded],
    [{ outcome: 'failed' }, row?.failed],
  ]);
  metric('almanac_ingest_runs_total', runs, runsOf, 'provider', 'outcome');
  const rows =
    'Rows that came from a provider: new, corrected, dropped by validation, or skipped by its feed.';
  const rowsOf = ofEach((row) => [
    [{ kind: 'new' }, row?.rowsNew],
    [{ kind: 'corrected' }, row?.rowsCorrected],
    [{ kind: 'dropped' }, row?.rowsDropped],
    [{ kind: 'skipped' }, row?.rowsSkipped],
  ]);
  metric('almanac_ingest_rows_total', rows, rowsOf, 'provider', 'kind');
  const setAside = 'Backfill windows that failed repeatedly and were skipped.';
  const setAsideOf = ofEach((row) => [[{}, row?.setAside]]);
  metric('almanac_provider_set_aside_windows', setAside, setAsideOf, 'provider');
  const thin = '1 where the newest day of a provider has less than half of its usual currencies.';
  const isThin = ofEach((row) => [[{}, row && Number(row.isIncomplete)]]);
  metric('almanac_provider_thin_day', thin, isThin, 'provider');
  const suspects =
    'Rates of a provider that are or were suspect: held, confirmed, accepted, rejected or corrected.';
  const suspectsOf = (found: Statistics) =>
    found.suspects.map(({ count, ...labels }): Sample => [labels, count]);
  metric('almanac_suspects', suspects, suspectsOf, 'provider', 'status');
}

/** Of all providers, also of those that the database does not have yet. */
const ofEach =
  (samplesOf: (row: Row, provider: Provider) => readonly Sample[]) =>
  ({ providers: rows }: Statistics) => {
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return providers.flatMap((provider) => {
      const samples = samplesOf(byKey.get(provider.key), provider);
      return samples.map(([own, value]): Sample => [{ provider: provider.key, ...own }, value]);
    });
  };

const statusOf = (provider: Provider, row: Row, now: Date) =>
  providerStatus(provider, { endDate: row?.endDate ?? null, lastError: row?.lastError ?? null }, now);

function nextSuccessExpected({ providers: rows }: Statistics): number | undefined {
  const newest = Math.max(...rows.map(({ lastSuccess }) => lastSuccess ?? 0));
  const withKey = rows.filter(({ lastError }) => !isNeedsKeyError(lastError)).map(({ key }) => key);
  const readable = providers.filter(({ key }) => withKey.includes(key));
  const next = newest > 0 ? nextPublishOfAny(readable, new Date(newest * 1000)) : null;
  return next ? next.getTime() / 1000 : undefined;
}
