import { Gauge, type Registry } from 'prom-client';
import type { RedisConnection } from '../../core/queues/redis.js';
import { readMemory } from '../../core/queues/redis-info.js';
import type { ReadSeries } from './database-series.js';

interface Stores {
  queues?: RedisConnection | undefined;
  /** Absent if the caches are in the Redis of the queues. */
  caches?: RedisConnection | undefined;
}

/** Each Redis is read by itself, so that a failure of one does not affect the other. */
export function memorySeries(registry: Registry, stores: Stores): ReadSeries[] {
  const of = { labelNames: ['store'], registers: [registry] };
  const used = new Gauge({
    ...of,
    name: 'almanac_redis_memory_used_bytes',
    help: 'Memory that a Redis uses.',
  });
  const max = new Gauge({
    ...of,
    name: 'almanac_redis_memory_max_bytes',
    help: 'Memory that a Redis may use; 0 where it has no bound.',
  });
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
