import type { JobWorker } from '../../core/queues/queues.js';

/** A job that has ended in this process. */
export interface EndedJob {
  queue: 'ingest' | 'blend';
  id: string | undefined;
  outcome: 'completed' | 'failed';
}

/** Told of every job that begins and ends in this process, and once this takes none any more. */
export interface JobObserver {
  /** Newer programs have to do the work. */
  outdated(): void;
  jobStarted(queue: EndedJob['queue']): void;
  jobEnded(job: EndedJob): void;
}

/** Tells the observer of the jobs of one worker. */
export function observeJobs<Data, Outcome>(
  worker: JobWorker<Data, Outcome>,
  queue: EndedJob['queue'],
  observer: JobObserver,
): void {
  worker.on('active', () => observer.jobStarted(queue));
  worker.on('completed', ({ id }) => observer.jobEnded({ queue, id, outcome: 'completed' }));
  worker.on('failed', (job) => observer.jobEnded({ queue, id: job?.id, outcome: 'failed' }));
}
