import type { Job } from 'bullmq';
import type { JobWorker } from '../../core/queues/queues.js';

interface EndedJob {
  queue: 'ingest' | 'blend';
  outcome: 'completed' | 'failed';
  seconds: number;
}

/** Called when a job starts or ends in this process, and once when it stops taking jobs. */
export interface JobObserver {
  /** Only newer programs may do the work. */
  outdated(): void;
  jobStarted(queue: EndedJob['queue']): void;
  jobEnded(job: EndedJob): void;
}

/** Notifies the observer of the jobs of one worker. */
export function observeJobs<Data, Outcome>(
  worker: JobWorker<Data, Outcome>,
  queue: EndedJob['queue'],
  observer: JobObserver,
): void {
  const ended = (outcome: EndedJob['outcome']) => (job: Job<Data, Outcome, string> | undefined) => {
    const now = Date.now();
    const seconds = Math.max(0, now - (job?.processedOn ?? now)) / 1_000;
    observer.jobEnded({ queue, outcome, seconds });
  };
  worker.on('active', () => observer.jobStarted(queue));
  worker.on('completed', ended('completed'));
  worker.on('failed', ended('failed'));
}
