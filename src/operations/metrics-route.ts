import * as z from 'zod';
import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import { within } from '../../core/concurrency/within.js';
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
  type ReadSeries,
  snapshotSeries,
} from './server-series.js';

interface MetricsDependencies extends Servers {
  metrics: Metrics;
  probes: Probes;
  snapshot: ObservedSnapshot;
  clock: Clock;
}

const LIMIT_MS = 1_500;
/** Values are read at most this often, however many scrapers there are. */
const KEPT_MS = 5_000;

/** In the text format of Prometheus. Values that can't be read in time are left out. */
export function metricsRoutes(dependencies: MetricsDependencies): Route[] {
  const { probes, database, clock, queues, redis } = dependencies;
  const { registry } = dependencies.metrics;
  const ofSnapshot = snapshotSeries(registry, dependencies.snapshot);
  const read = [
    ...(database ? [readAtIntervals(databaseSeries(registry, database, clock))] : []),
    ...(queues ? [readAtIntervals(queueSeries(registry, queues))] : []),
    readAtIntervals(dependencySeries(registry, probes)),
    ...(redis ? [readAtIntervals(memorySeries(registry, redis))] : []),
  ];
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
        await Promise.all([ofSnapshot.read(), ...read.map((look) => look())]);
        const body = Buffer.from(await registry.metrics());
        return { validity: NO_STORE, content: { type: registry.contentType, body } };
      },
    }),
  ];
}

/** Removes the values if they can't be read in time. */
function readAtIntervals(series: ReadSeries): () => Promise<void> {
  const singleFlight = createSingleFlight<void>();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    try {
      await series.read();
      readAt = performance.now();
    } catch {
      // Not logged here: the code that uses the server logs its connection errors.
      series.drop();
    }
  };
  return async () => {
    if (performance.now() - readAt < KEPT_MS) return;
    const inTime = singleFlight('read', read).then(() => true);
    if (!(await within(LIMIT_MS, inTime, false))) series.drop();
  };
}
