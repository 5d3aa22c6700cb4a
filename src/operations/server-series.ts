import { Gauge, type Registry } from 'prom-client';
import type { RedisConnection } from '../../core/queues/redis.js';
import { readMemory } from '../../core/queues/redis-info.js';
import type { Probes } from './probes.js';
import type { QueueAccess } from './queue-access.js';

/** Values that are read for a scrape. */
export interface ReadSeries {
  read(): Promise<void>;
  /** No values are better than old ones. */
  drop(): void;
}

export interface ObservedSnapshot {
  current(): { readonly dataVersion: bigint } | undefined;
  /** On the clock of `performance.now()`. */
  confirmedAt(): number | undefined;
}

const STATES = ['waiting', 'active', 'delayed', 'prioritized', 'failed', 'completed'] as const;

export function gaugeIn(registry: Registry, name: string, help: string, ...labelNames: string[]): Gauge {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

/** Finished jobs count while the queue keeps them. */
export function queueSeries(registry: Registry, queues: QueueAccess): ReadSeries {
  const help = 'Jobs in each state. Waiting ones that go to the back of the queue are prioritized.';
  const jobs = gaugeIn(registry, 'almanac_queue_jobs', help, 'queue', 'state');
  return {
    drop: () => jobs.reset(),
    async read() {
      const { ingest, blend } = await queues.get();
      const counts = await Promise.all([ingest, blend].map((queue) => queue.getJobCounts(...STATES)));
      jobs.reset();
      for (const [index, queue] of ['ingest', 'blend'].entries()) {
        for (const state of STATES) jobs.set({ queue, state }, counts[index]?.[state] ?? 0);
      }
    },
  };
}

interface Stores {
  queues?: RedisConnection | undefined;
  /** Absent if the caches are in the Redis of the queues. */
  caches?: RedisConnection | undefined;
}

/** Each Redis is read by itself, so that a failure of one does not affect the other. */
export function memorySeries(registry: Registry, stores: Stores): ReadSeries[] {
  const used = gaugeIn(registry, 'almanac_redis_memory_used_bytes', 'Memory that a Redis uses.', 'store');
  const bound = 'Memory that a Redis may use; 0 where it has no bound.';
  const max = gaugeIn(registry, 'almanac_redis_memory_max_bytes', bound, 'store');
  return Object.entries(stores).flatMap(([store, connection]) => {
    if (!connection) return [];
    return {
      async read() {
        const memory = await readMemory(connection.client);
        used.set({ store }, memory.usedBytes);
        max.set({ store }, memory.maxBytes);
      },
      drop() {
        used.remove({ store });
        max.remove({ store });
      },
    };
  });
}

/** The version and the age of the rates in memory, while there are some. */
export function snapshotSeries(registry: Registry, snapshot: ObservedSnapshot): ReadSeries {
  const served = 'The data version that this process serves.';
  const version = gaugeIn(registry, 'almanac_snapshot_version', served);
  const known = 'Time since the rates in memory were last known to be the newest committed.';
  const age = gaugeIn(registry, 'almanac_snapshot_age_seconds', known);
  const drop = () => {
    version.remove();
    age.remove();
  };
  return {
    drop,
    async read() {
      drop();
      const [current, at] = [snapshot.current(), snapshot.confirmedAt()];
      if (current) version.set(Number(current.dataVersion));
      if (at !== undefined) age.set((performance.now() - at) / 1000);
    },
  };
}

export function dependencySeries(registry: Registry, probes: Probes): ReadSeries {
  const responds = '1 if a configured server responds and takes writes, 0 if not.';
  const up = gaugeIn(registry, 'almanac_dependency_up', responds, 'dependency');
  const inState = '1 for the state of a configured server, as in GET /health/ready.';
  const reachability = gaugeIn(registry, 'almanac_dependency_state', inState, 'dependency', 'state');
  const drop = () => {
    up.reset();
    reachability.reset();
  };
  return {
    drop,
    async read() {
      const dependencies = ['database', 'redis', 'queue', 'cache'] as const;
      const states = await Promise.all(dependencies.map((name) => probes[name]()));
      drop();
      for (const [index, dependency] of dependencies.entries()) {
        const state = states[index];
        if (state === undefined || state === 'unused') continue;
        up.set({ dependency }, state === 'up' ? 1 : 0);
        reachability.set({ dependency, state }, 1);
      }
    },
  };
}
