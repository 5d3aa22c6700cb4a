import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { EndedJob } from './jobs/observe-jobs.js';

/** What a worker tells Prometheus about itself. Providers, runs and queues are shown by the APIs. */
export interface WorkerMetrics {
  contentType: string;
  jobEnded(job: EndedJob): void;
  /** All series in the text format. */
  read(): Promise<string>;
}

const JOB_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export function openWorkerMetrics(): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'almanac_job_duration_seconds',
    help: 'Duration of a job at this worker, of one attempt, by outcome.',
    labelNames: ['queue', 'outcome'] as const,
    buckets: JOB_SECONDS,
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    jobEnded({ queue, outcome, seconds: duration }) {
      seconds.observe({ queue, outcome }, duration);
    },
    read: () => registry.metrics(),
  };
}
