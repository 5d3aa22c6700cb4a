import * as z from 'zod';
import type { Clock } from '../../core/domain/clock.js';
import { NO_STORE } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { databaseSeries } from './database-series.js';
import type { Metrics } from './metrics.js';
import type { Probes, Servers } from './probes.js';
import {
  dependencySeries,
  memorySeries,
  type ObservedSnapshot,
  queueSeries,
  snapshotSeries,
} from './server-series.js';

interface MetricsDependencies extends Servers {
  metrics: Metrics;
  probes: Probes;
  snapshot: ObservedSnapshot;
  clock: Clock;
}

/** In the text format of Prometheus. Values that can't be read in time are left out. */
export function metricsRoutes(dependencies: MetricsDependencies): Route[] {
  const { probes, database, clock, queues, redis } = dependencies;
  const { registry } = dependencies.metrics;
  snapshotSeries(registry, dependencies.snapshot);
  if (database) databaseSeries(registry, database, clock);
  if (queues) queueSeries(registry, queues);
  dependencySeries(registry, probes);
  if (redis) memorySeries(registry, redis);
  return [
    defineRoute({
      path: '/metrics',
      description: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        tags: ['Health and metrics'],
        responses: {
          200: {
            description: 'Text format 0.0.4',
            content: { 'text/plain': { schema: z.string(), example: 'almanac_snapshot_version 42\n' } },
          },
        },
      },
      async handle() {
        const body = Buffer.from(await registry.metrics());
        return { validity: NO_STORE, content: { type: registry.contentType, body } };
      },
    }),
  ];
}
