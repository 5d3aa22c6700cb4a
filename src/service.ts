import cluster from 'node:cluster';
import { collectDefaultMetrics } from 'prom-client';
import { type App, type AppDependencies, createApp } from './app.js';
import { type Metrics, openMetrics } from './operations/metrics.js';
import { metricsOfAll } from './operations/metrics-of-all.js';
import type { Store } from './store.js';

/** The application, started once the program has its data. */
export interface Service extends App {
  close(): Promise<void>;
}

/** Opens the application with metrics of its process. */
export function openService(given: AppDependencies, store: Store): App {
  return createApp({ ...given, metrics: metricsOfProcess() }, store);
}

function metricsOfProcess(): Metrics {
  const metrics = openMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  if (cluster.isWorker) metrics.read = metricsOfAll(metrics.registry);
  return metrics;
}
