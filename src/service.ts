import cluster from 'node:cluster';
import { collectDefaultMetrics } from 'prom-client';
import { type App, type AppDependencies, createApp, createEdge, type EdgeDependencies } from './app.js';
import { openRedisLink } from './http/redis-link.js';
import { type Metrics, openMetrics } from './operations/metrics.js';
import { metricsOfAll } from './operations/metrics-of-all.js';
import { openQueueAccess } from './operations/queue-access.js';

type Given = Pick<
  AppDependencies,
  'config' | 'clock' | 'log' | 'database' | 'cache' | 'snapshot' | 'catalogue' | 'isDraining'
>;

/** The application, started once the program has its data. */
export interface Service extends App {
  close(): Promise<void>;
}

/** Opens the application with its connections to Redis, if configured, and to the job queues. */
export function openService(given: Given, databaseUrl: string): Service {
  const { config, log } = given;
  const { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } = config;
  const redis = redisUrl === undefined ? undefined : openRedisLink(redisUrl, log, redisPrefix);
  const migrate = config.MIGRATE && !config.READ_ONLY;
  const queues = openQueueAccess({ databaseUrl, migrate, redisUrl, redisPrefix }, log);
  return {
    ...createApp({ ...given, redis, queues, metrics: metricsOfProcess() }),
    async close() {
      redis?.close();
      await queues.close();
    },
  };
}

/** The application on a publication. */
export function openEdgeService(given: EdgeDependencies): Service {
  return { ...createEdge({ ...given, metrics: metricsOfProcess() }), close: async () => {} };
}

function metricsOfProcess(): Metrics {
  const metrics = openMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  if (cluster.isWorker) metrics.read = metricsOfAll(metrics.registry);
  return metrics;
}
