import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import type { Database } from '../../core/database/database.js';
import { ping } from '../../core/database/statistics.js';
import type { RedisLink } from '../http/redis-link.js';
import type { QueueAccess } from './queue-access.js';

/** Whether a server that we depend on answers. `unused`: this process is set up without it. */
type Reach = 'up' | 'down' | 'unused';

export interface Probes {
  database(): Promise<Reach>;
  redis(): Promise<Reach>;
  queue(): Promise<Reach>;
}

interface Probed {
  database: Database;
  redis?: RedisLink | undefined;
  queues?: QueueAccess | undefined;
}

const LIMIT_MS = 1_000;

/** Each probe settles within a second, and is shared by all who ask while it is under way. */
export function openProbes({ database, redis, queues }: Probed): Probes {
  return {
    database: probe(() => ping(database, LIMIT_MS)),
    redis: redis ? probe(() => redis.client.ping()) : unused,
    queue: queues ? probe(async () => (await queues.get()).ingest.getJobCounts('active')) : unused,
  };
}

const unused = async (): Promise<Reach> => 'unused';

function probe(ask: () => Promise<unknown>): () => Promise<Reach> {
  const singleFlight = createSingleFlight<Reach>();
  const reach = () =>
    ask().then(
      (): Reach => 'up',
      // What it says is in the log of whoever needs it; here only that it doesn't answer.
      (): Reach => 'down',
    );
  return () => within(LIMIT_MS, singleFlight('', reach), 'down');
}

/** What comes in time, else what stands for it. */
export async function within<T, F>(milliseconds: number, work: Promise<T>, otherwise: F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<F>((resolve) => {
    timer = setTimeout(resolve, milliseconds, otherwise);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
