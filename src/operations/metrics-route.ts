import { Router } from 'express';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import type { AppContext } from '../context.js';
import { sendBody } from '../http/bodies.js';
import { databaseSeries, type ReadSeries } from './database-series.js';
import type { Metrics } from './metrics.js';
import { type Probes, within } from './probes.js';
import { queueSeries } from './queue-series.js';
import { snapshotSeries } from './snapshot-series.js';

type MetricsContext = Pick<AppContext, 'snapshot' | 'database' | 'clock' | 'document' | 'queues'>;

const LIMIT_MS = 1_500;
/** Several scrapers, or one in a hurry, cost the database no more than one that looks this often. */
const KEPT_MS = 5_000;

/** `GET /metrics`, in the text format of Prometheus. What can't be read in time is left out. */
export function metricsRoutes(context: MetricsContext, metrics: Metrics, probes: Probes): Router {
  const { registry } = metrics;
  const { database, clock, queues, document } = context;
  snapshotSeries(registry, context.snapshot);
  const read = [
    keepShortly(databaseSeries(registry, database, clock)),
    ...(queues ? [keepShortly(queueSeries(registry, queues))] : []),
    keepShortly(reachSeries(metrics, probes)),
  ];
  document.registerPath({
    method: 'get',
    path: '/metrics',
    summary: 'Metrics for Prometheus',
    tags: ['Operations'],
    responses: {
      200: {
        description: 'Text format 0.0.4',
        content: { 'text/plain': { schema: z.string(), example: 'almanac_snapshot_version 42\n' } },
      },
    },
  });
  const router = Router();
  router.get('/metrics', async (request, response) => {
    await Promise.all(read.map((look) => look()));
    const body = Buffer.from(await registry.metrics());
    response.setHeader('cache-control', 'no-store');
    sendBody(request, response, body, { contentType: registry.contentType, encoding: 'identity' });
  });
  return router;
}

/** Reads the series unless they are new enough, in bounded time; drops them where that fails. */
function keepShortly(series: ReadSeries): () => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  const look = () => {
    underWay ??= series
      .read()
      .then(() => {
        readAt = performance.now();
      }, series.drop)
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };
  return async () => {
    if (performance.now() - readAt < KEPT_MS) return;
    const late = await within(
      LIMIT_MS,
      look().then(() => false),
      true,
    );
    if (late) series.drop();
  };
}

function reachSeries({ registry }: Metrics, probes: Probes): ReadSeries {
  const up = new Gauge({
    name: 'almanac_dependency_up',
    help: '1 where a server that this process is set up with answers, 0 where it does not.',
    labelNames: ['dependency'],
    registers: [registry],
  });
  return {
    drop: () => up.reset(),
    async read() {
      const dependencies = ['database', 'redis', 'queue'] as const;
      const states = await Promise.all(dependencies.map((name) => probes[name]()));
      for (const [index, dependency] of dependencies.entries()) {
        const state = states[index];
        if (state !== 'unused') up.set({ dependency }, state === 'up' ? 1 : 0);
      }
    },
  };
}
