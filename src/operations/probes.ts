import { within } from '../../core/concurrency/within.js';
import type { Database } from '../../core/database/database.js';
import { ping } from '../../core/database/statistics.js';
import { type Refusal, refusalOf } from '../../core/process/connection-errors.js';
import type { RedisConnection } from '../../core/queues/redis.js';
import type { QueueAccess } from './queue-access.js';
import { sharedFor } from './shared-for.js';

/** Whether a server responds and accepts writes. `unused`: this process is configured without it. */
export type Reachability = 'up' | 'down' | Refusal | 'unused';

export type Probes = ReturnType<typeof openProbes>;

/** A server is absent in a process without it. */
export interface Servers {
  database?: Database | undefined;
  redis?: RedisConnection | undefined;
  queues?: QueueAccess | undefined;
}

const LIMIT_MS = 1_000;
const SHARED_MS = 1_000;
const WRITTEN_SECONDS = 10;

/** Each probe settles within a second. Calls within a second share one. */
export function openProbes({ database, redis, queues }: Servers, tryRawRows?: () => Promise<void>) {
  return {
    database: database ? probe(() => ping(database, LIMIT_MS)) : unused,
    rawRows: tryRawRows ? probe(tryRawRows) : unused,
    redis: redis ? probe(() => tryWrite(redis)) : unused,
    queue: queues ? probe(async () => (await queues.get()).tryWrite()) : unused,
  };
}

/** Throws if Redis is full, a replica, or unable to store. It still responds in these cases. */
async function tryWrite({ client, watch }: RedisConnection): Promise<void> {
  try {
    await client.set('tried', '1', 'EX', WRITTEN_SECONDS);
    watch.recovered();
  } catch (error) {
    watch.failed(error);
    throw error;
  }
}

const unused = async (): Promise<Reachability> => 'unused';

function probe(request: () => Promise<unknown>): () => Promise<Reachability> {
  const outcome = () =>
    request().then(
      (): Reachability => 'up',
      // The error is not logged here: the code that uses the server logs it.
      (error): Reachability => refusalOf(error) ?? 'down',
    );
  return sharedFor(SHARED_MS, () => within(LIMIT_MS, outcome(), 'down'));
}
