import type { Database } from '../core/database/database.js';
import { newestSignedLog } from '../core/database/publications.js';
import { type AppDependencies, openService, type Service, type Store } from './app.js';
import { openRedisLink } from './http/limits.js';
import { randomPhrase } from './no/no-routes.js';
import { createAdmin } from './operations/admin/create-admin.js';
import { openQueueAccess, type QueueAccess } from './operations/queue-access.js';
import { openActivity } from './pages/activity.js';
import { type KeptRates, openKeptRates } from './rates/sources/kept-rates.js';
import { tryRawRows } from './rates/sources/raw-store.js';
import { openDatabaseContext } from './rendering/database-context.js';
import { openRenderThreads, type RenderThreads } from './rendering/render-threads.js';

type Given = Omit<AppDependencies, 'redis'> & { database: Database };

export function openDatabaseService(given: Given, databaseUrl: string): Service {
  const { config, clock, log } = given;
  const { REDIS_URL: redisUrl } = config;
  const redis = redisUrl === undefined ? undefined : openRedisLink(redisUrl, log);
  const { SOURCES_DIR, PROVIDERS_EXCEPT } = config;
  const queues = openQueueAccess({ databaseUrl, redisUrl }, log);
  const sources = { SOURCES_DIR, PROVIDERS_EXCEPT };
  const kept = openKeptRates();
  const threads = openRenderThreads({ data: { databaseUrl, sources }, clock, log, kept });
  return {
    ...openService({ ...given, redis }, databaseStore({ ...given, redis, queues, threads, kept })),
    async close() {
      redis?.close();
      await Promise.all([queues.close(), threads.close()]);
    },
  };
}

interface StoreDependencies
  extends Pick<AppDependencies, 'config' | 'clock' | 'log' | 'cache' | 'snapshot' | 'redis'> {
  database: Database;
  queues?: QueueAccess | undefined;
  threads?: RenderThreads | undefined;
  /** Stores what the threads make from raw rows. */
  kept?: KeptRates;
}

export function databaseStore(given: StoreDependencies): Store {
  const { database, snapshot, redis, queues, threads, kept = openKeptRates() } = given;
  const context = openDatabaseContext(database, kept);
  return {
    ...context,
    threads,
    activity: openActivity(database),
    drawPhrase: () => randomPhrase(database),
    findPublication: () => newestSignedLog(database),
    servers: { database, redis, queues, tryRawRows: () => tryRawRows(context.raw, snapshot) },
    admin: createAdmin(given),
  };
}
