import type { Logger } from 'pino';
import type { Database } from '../core/database/database.js';
import { newestSignedLog } from '../core/database/publications.js';
import type { Clock } from '../core/domain/clock.js';
import type { Config } from '../core/process/config.js';
import type { Cache } from './cache/cache.js';
import type { RedisLink } from './http/limits.js';
import { randomPhrase } from './no/random-phrase.js';
import { createAdmin } from './operations/admin/create-admin.js';
import { openProbes } from './operations/probes.js';
import type { QueueAccess } from './operations/queue-access.js';
import { openActivity } from './pages/activity.js';
import type { SnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import { type KeptRates, openKeptRates } from './rates/sources/kept-rates.js';
import { tryRawRows } from './rates/sources/try-raw-rows.js';
import { openGround } from './rendering/ground.js';
import type { RenderThreads } from './rendering/render-threads.js';
import type { Store } from './store.js';

interface Dependencies {
  config: Config;
  clock: Clock;
  log: Logger;
  database: Database;
  cache: Cache;
  snapshot: SnapshotHolder;
  redis?: RedisLink | undefined;
  queues?: QueueAccess | undefined;
  threads?: RenderThreads | undefined;
  /** What the threads have made of raw rows. */
  kept?: KeptRates;
}

/** All that there is: raw rows, past versions, what operators do. */
export function databaseStore(given: Dependencies): Store {
  const { config, database, snapshot, redis, queues, threads, kept = openKeptRates() } = given;
  const ground = openGround(database, kept);
  // Without a Redis of their own, caches say nothing that is not said of the queues' Redis.
  const cacheRedis = config.REDIS_CACHE_URL === undefined ? undefined : given.cache.redis;
  const servers = { database, redis, cacheRedis, queues };
  return {
    ...ground,
    threads,
    activity: openActivity(database),
    drawPhrase: () => randomPhrase(database),
    findPublication: () => newestSignedLog(database),
    probes: openProbes({ ...servers, tryRawRows: () => tryRawRows(ground.raw, snapshot) }),
    servers,
    admin: createAdmin(given),
  };
}
