import type { Database } from '../core/database/database.js';
import type { AppDependencies } from './app.js';
import { databaseStore } from './database-store.js';
import { openRedisLink } from './http/redis-link.js';
import { openQueueAccess } from './operations/queue-access.js';
import { openService, type Service } from './service.js';

interface Given
  extends Pick<
    AppDependencies,
    'config' | 'clock' | 'log' | 'cache' | 'snapshot' | 'catalogue' | 'isDraining'
  > {
  database: Database;
}

/** Opens the application on a database, with its connections to Redis, if configured, and to the job queues. */
export function openDatabaseService(given: Given, databaseUrl: string): Service {
  const { config, log } = given;
  const { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } = config;
  const redis = redisUrl === undefined ? undefined : openRedisLink(redisUrl, log, redisPrefix);
  const migrate = config.MIGRATE && !config.READ_ONLY;
  const queues = openQueueAccess({ databaseUrl, migrate, redisUrl, redisPrefix }, log);
  return {
    ...openService({ ...given, redis }, (eventLoop) => databaseStore({ ...given, redis, queues, eventLoop })),
    async close() {
      redis?.close();
      await queues.close();
    },
  };
}
