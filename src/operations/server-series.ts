import { Counter, Gauge, type Registry } from 'prom-client';
import { type RedisConnection, readMemory } from '../../core/queues/redis.js';
import type { Probes } from './probes.js';
import type { QueueAccess } from './queue-access.js';

/** Values that are read for a scrape. */
export interface ReadSeries {
  read(): Promise<void>;
  /** No values are better than old ones. */
  drop(): void;
}

/** A metric, and the labels and the value of one of its series. Without a value, there is no such series. */
export type Sample = readonly [Gauge | Counter, Record<string, string>, number | null | undefined];

export interface ObservedSnapshot {
  current(): { readonly dataVersion: bigint } | undefined;
  /** On the clock of `performance.now()`. */
  confirmedAt(): number | undefined;
}

const STATES = ['waiting', 'active', 'delayed', 'prioritized', 'failed', 'completed'] as const;

export function gaugeIn(registry: Registry, name: string, help: string, ...labelNames: string[]): Gauge {
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  // Without labels, it would begin with a zero.
  if (labelNames.length === 0) gauge.remove();
  return gauge;
}

export function counterIn(registry: Registry, name: string, help: string, ...labelNames: string[]): Counter {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

/** Each reading replaces all samples of the one before. */
export function readSeries(read: () => Promise<readonly Sample[]>): ReadSeries {
  let shown: readonly Sample[] = [];
  const drop = () => {
    for (const [metric, labels] of shown) metric.remove(labels);
    shown = [];
  };
  return {
    drop,
    async read() {
      const samples = await read();
      drop();
      shown = samples;
      for (const [metric, labels, value] of samples) {
        if (value === null || value === undefined) continue;
        if (metric instanceof Counter) metric.inc(labels, value);
        else metric.set(labels, value);
      }
    },
  };
}

/** Finished jobs count while the queue keeps them. */
export function queueSeries(registry: Registry, queues: QueueAccess): ReadSeries {
  const help = 'Jobs in each state. Waiting ones that go to the back of the queue are prioritized.';
  const jobs = gaugeIn(registry, 'almanac_queue_jobs', help, 'queue', 'state');
  return readSeries(async () => {
    const { ingest, blend } = await queues.get();
    const counts = Object.entries({
      ingest: await ingest.getJobCounts(...STATES),
      blend: await blend.getJobCounts(...STATES),
    });
    return counts.flatMap(([queue, count]) =>
      STATES.map((state): Sample => [jobs, { queue, state }, count[state] ?? 0]),
    );
  });
}

export function memorySeries(registry: Registry, { client }: RedisConnection): ReadSeries {
  const used = gaugeIn(registry, 'almanac_redis_memory_used_bytes', 'Memory that Redis uses.');
  const bound = 'Memory that Redis may use; 0 without a bound.';
  const max = gaugeIn(registry, 'almanac_redis_memory_max_bytes', bound);
  return readSeries(async () => {
    const { usedBytes, maxBytes } = await readMemory(client);
    return [
      [used, {}, usedBytes],
      [max, {}, maxBytes],
    ];
  });
}

/** The version and the age of the rates in memory, while there are some. */
export function snapshotSeries(registry: Registry, snapshot: ObservedSnapshot): ReadSeries {
  const served = 'The data version that this process serves.';
  const version = gaugeIn(registry, 'almanac_snapshot_version', served);
  const known = 'Time since the rates in memory were last known to be the newest committed.';
  const age = gaugeIn(registry, 'almanac_snapshot_age_seconds', known);
  return readSeries(async () => {
    const [current, at] = [snapshot.current(), snapshot.confirmedAt()];
    return [
      [version, {}, current && Number(current.dataVersion)],
      [age, {}, at === undefined ? at : (performance.now() - at) / 1000],
    ];
  });
}

export function dependencySeries(registry: Registry, probes: Probes): ReadSeries {
  const responds = '1 if a configured server responds and takes writes, 0 if not.';
  const up = gaugeIn(registry, 'almanac_dependency_up', responds, 'dependency');
  const inState = '1 for the state of a configured server, as in GET /health/ready.';
  const reachability = gaugeIn(registry, 'almanac_dependency_state', inState, 'dependency', 'state');
  return readSeries(async () => {
    const dependencies = ['database', 'redis', 'queue'] as const;
    const states = await Promise.all(dependencies.map((name) => probes[name]()));
    return dependencies.flatMap((dependency, index): Sample[] => {
      const state = states[index];
      if (state === undefined || state === 'unused') return [];
      return [
        [up, { dependency }, state === 'up' ? 1 : 0],
        [reachability, { dependency, state }, 1],
      ];
    });
  });
}
