import { Gauge, type Registry } from 'prom-client';
import type { ReadSeries } from './database-series.js';
import type { QueueAccess } from './queue-access.js';

const STATES = ['waiting', 'active', 'delayed', 'prioritized', 'failed', 'completed'] as const;

/** Finished jobs count while the queue keeps them. */
export function queueSeries(registry: Registry, queues: QueueAccess): ReadSeries {
  const jobs = new Gauge({
    name: 'almanac_queue_jobs',
    help: 'Jobs in each state. Waiting ones that go to the back of the queue are prioritized.',
    labelNames: ['queue', 'state'],
    registers: [registry],
  });
  return {
    drop: () => jobs.reset(),
    async read() {
      const { ingest, blend } = await queues.get();
      const counts = await Promise.all([ingest, blend].map((queue) => queue.getJobCounts(...STATES)));
      jobs.reset();
      for (const [index, queue] of ['ingest', 'blend'].entries()) {
        for (const state of STATES) jobs.set({ queue, state }, counts[index]?.[state] ?? 0);
      }
    },
  };
}
