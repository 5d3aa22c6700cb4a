import type { Registry } from 'prom-client';
import * as z from 'zod';
import type { Database } from '../../core/database/database.js';
import { type ProviderStatistics, readStatistics } from '../../core/database/statistics.js';
import type { Clock } from '../../core/domain/dates.js';
import { isNeedsKeyError, providerStatus } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { nextPublishOfAny, publishesMissed } from '../../core/domain/publish-schedule.js';
import { droppedLines } from '../../core/process/log-destination.js';
import { type RedisConnection, readMemory } from '../../core/queues/redis.js';
import { NO_STORE } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Probes, Servers } from './health.js';
import { type Metrics, readMetrics, type Sample } from './metrics.js';
import type { QueueAccess } from './queue-access.js';

interface MetricsDependencies extends Servers {
  metrics: Metrics;
  probes: Probes;
  snapshot: ObservedSnapshot;
  clock: Clock;
}

/** In the text format of Prometheus. Values that can't be read in time are left out. */
export function metricsRoutes(dependencies: MetricsDependencies): Route[] {
  const { probes, database, clock, queues, redis } = dependencies;
  const { registry } = dependencies.metrics;
  snapshotSeries(registry, dependencies.snapshot);
  if (database) databaseSeries(registry, database, clock);
  if (queues) queueSeries(registry, queues);
  dependencySeries(registry, probes);
  const dropped = 'Lines of the log that were dropped because its reader had stalled.';
  const metric = readMetrics(registry, async () => droppedLines());
  metric('almanac_log_lines_dropped_total', dropped, (lines) => [[{}, lines]]);
  if (redis) memorySeries(registry, redis);
  return [
    defineRoute({
      path: '/metrics',
      description: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        tags: ['Health and metrics'],
        responses: {
          200: {
            description: 'Text format 0.0.4',
            content: { 'text/plain': { schema: z.string(), example: 'almanac_snapshot_version 42\n' } },
          },
        },
      },
      async handle() {
        const body = Buffer.from(await registry.metrics());
        return { validity: NO_STORE, content: { type: registry.contentType, body } };
      },
    }),
  ];
}

interface ObservedSnapshot {
  current(): { readonly dataVersion: bigint } | undefined;
  /** On the clock of `performance.now()`. */
  confirmedAt(): number | undefined;
}

const STATES = ['waiting', 'active', 'delayed', 'prioritized', 'failed', 'completed'] as const;

/** Finished jobs count while the queue keeps them. */
export function queueSeries(registry: Registry, queues: QueueAccess): void {
  const metric = readMetrics(registry, async () => {
    const { ingest, blend } = await queues.get();
    return { ingest: await ingest.getJobCounts(...STATES), blend: await blend.getJobCounts(...STATES) };
  });
  const help = 'Jobs in each state. Waiting ones that go to the back of the queue are prioritized.';
  const countsOf = (counts: Record<string, Record<string, number>>) =>
    Object.entries(counts).flatMap(([queue, count]) =>
      STATES.map((state): Sample => [{ queue, state }, count[state] ?? 0]),
    );
  metric('almanac_queue_jobs', help, countsOf, 'queue', 'state');
}

export function memorySeries(registry: Registry, { client }: RedisConnection): void {
  const metric = readMetrics(registry, () => readMemory(client));
  const used = 'Memory that Redis uses.';
  metric('almanac_redis_memory_used_bytes', used, ({ usedBytes }) => [[{}, usedBytes]]);
  const bound = 'Memory that Redis may use; 0 without a bound.';
  metric('almanac_redis_memory_max_bytes', bound, ({ maxBytes }) => [[{}, maxBytes]]);
}

/** The version and the age of the rates in memory, while there are some. */
export function snapshotSeries(registry: Registry, snapshot: ObservedSnapshot): void {
  const metric = readMetrics(registry, async () => snapshot);
  const served = 'The data version that this process serves.';
  const versionOf = (current = snapshot.current()) => current && Number(current.dataVersion);
  metric('almanac_snapshot_version', served, () => [[{}, versionOf()]]);
  const known = 'Time since the rates in memory were last known to be the newest committed.';
  const ageOf = (at = snapshot.confirmedAt()) => (at === undefined ? at : (performance.now() - at) / 1000);
  metric('almanac_snapshot_age_seconds', known, () => [[{}, ageOf()]]);
}

function dependencySeries(registry: Registry, probes: Probes): void {
  const metric = readMetrics(registry, async () => {
    const [database, redis, queue] = await Promise.all([probes.database(), probes.redis(), probes.queue()]);
    return Object.entries({ database, redis, queue }).filter(([, state]) => state !== 'unused');
  });
  const responds = '1 if a configured server responds and takes writes, 0 if not.';
  const up = ([dependency, state]: [string, string]): Sample => [{ dependency }, Number(state === 'up')];
  metric('almanac_dependency_up', responds, (states) => states.map(up), 'dependency');
  const inState = '1 for the state of a configured server, as in GET /health/ready.';
  const named = ([dependency, state]: [string, string]): Sample => [{ dependency, state }, 1];
  metric('almanac_dependency_state', inState, (states) => states.map(named), 'dependency', 'state');
}

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
  const expectedOf = (found: Statistics): Sample[] => [[{}, nextSuccessExpected(found)]];
  metric('almanac_next_success_expected_timestamp_seconds', expected, expectedOf);
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
