import { collectDefaultMetrics } from 'prom-client';
import { createHandler } from './app.js';
import type { AppContext } from './context.js';
import { createApiDocument } from './http/api-document.js';
import { openMetrics } from './operations/metrics.js';
import { openQueueAccess } from './operations/queue-access.js';
import { openRedisLink } from './operations/redis-link.js';
import type { Handler } from './server.js';

type Given = Pick<AppContext, 'config' | 'clock' | 'log' | 'database' | 'cache' | 'snapshot' | 'catalogue'>;

/** What answers requests, once the program has its data. */
export interface Service {
  handler: Handler;
  close(): Promise<void>;
}

/** Puts the application together, with its ways to Redis and to the jobs where there are any. */
export function openService(given: Given, databaseUrl: string): Service {
  const { config, log } = given;
  const redisUrl = config.REDIS_URL;
  const redis = redisUrl === undefined ? undefined : openRedisLink(redisUrl, log);
  const queues = openQueueAccess({ databaseUrl, redisUrl }, log);
  const metrics = openMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  const document = createApiDocument();
  return {
    handler: createHandler({ ...given, document, redis, queues, metrics }),
    async close() {
      redis?.close();
      await queues.close();
    },
  };
}
