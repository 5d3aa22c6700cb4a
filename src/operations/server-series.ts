import type { Registry } from 'prom-client';
import { type RedisConnection, readMemory } from '../../core/queues/redis.js';
import type { Probes } from './probes.js';
import type { QueueAccess } from './queue-access.js';
import { readMetrics, type Sample } from './read-metrics.js';

export interface ObservedSnapshot {
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

export function dependencySeries(registry: Registry, probes: Probes): void {
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
