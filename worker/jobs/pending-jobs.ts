import { forgetPendingJobs, notePendingJob, readPendingJobs } from '../../core/database/operators.js';
import { logAsWarning } from '../../core/process/connection-errors.js';
import { enqueuePending } from '../../core/queues/enqueue.js';
import type { PlanDeps } from './catch-up.js';

type PendingDeps = Pick<PlanDeps, 'database' | 'queues' | 'log'>;

/** Adds operators' jobs again that the queue has lost, with the same IDs, so that there is only one of each. */
export async function restorePendingJobs({ database, queues, log }: PendingDeps): Promise<void> {
  for (const { act, job } of await readPendingJobs(database)) {
    const state = await queues[job.queue].getJobState(job.id);
    if (state === 'completed' || state === 'failed') await forgetPendingJobs(database, { id: job.id });
    if (state !== 'unknown') continue;
    const id = await enqueuePending(queues, job);
    // The same job was requested again in the meantime.
    if (id !== job.id) await notePendingJob(database, act, { ...job, id });
    log.warn({ job: id, act: String(act) }, "the queue had lost an operator's job: it is added again");
  }
}

/** Records that a job has ended. If that fails, `restorePendingJobs` finds it ended in the queue. */
export async function pendingJobEnded({ database, log }: PendingDeps, id: string): Promise<void> {
  const logFailure = logAsWarning(log, 'the end of a job could not be recorded', { job: id });
  await forgetPendingJobs(database, { id }).catch(logFailure);
}
