import type { Database } from '../core/database/database.js';
import type { AppDependencies } from './app.js';
import { databaseStore } from './database-store.js';
import { openRedisLink } from './http/limits.js';
import { openQueueAccess } from './operations/queue-access.js';
import { openKeptRates } from './rates/sources/kept-rates.js';
import { openRenderThreads } from './rendering/render-threads.js';
import { openService, type Service } from './service.js';

interface Given
  extends Pick<
    AppDependencies,
    'config' | 'clock' | 'log' | 'cache' | 'snapshot' | 'catalogue' | 'isDraining'
  > {
  database: Database;
  /** The most connections that each of the threads that make contents has. */
  threadConnections: number;
}

/** Opens the application on a database, with its connections to Redis, if configured, and to the job queues. */
export function openDatabaseService(given: Given, databaseUrl: string): Service {
  const { config, clock, log, threadConnections: connections } = given;
  const { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } = config;
  const redis = redisUrl === undefined ? undefined : openRedisLink(redisUrl, log, redisPrefix);
  const migrate = config.MIGRATE && !config.READ_ONLY;
  const queues = openQueueAccess({ databaseUrl, migrate, redisUrl, redisPrefix }, log);
  const { RENDER_THREADS: count, SOURCES_DIR, PROVIDERS_EXCEPT } = config;
  const sources = { SOURCES_DIR, PROVIDERS_EXCEPT };
  const kept = openKeptRates();
  const data = { databaseUrl, connections, sources };
  const threads = count > 0 ? openRenderThreads({ count, data, clock, log, kept }) : undefined;
  return {
    ...openService({ ...given, redis }, databaseStore({ ...given, redis, queues, threads, kept })),
    async close() {
      redis?.close();
      await Promise.all([queues.close(), threads?.close()]);
    },
  };
}
