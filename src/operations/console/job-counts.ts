import { HttpError } from '../../http/errors.js';
import { type QueueAccess, withQueues } from '../queue-access.js';

export interface JobCounts {
  active: number;
  /** Also those that are delayed, such as between two attempts. */
  waiting: number;
  failed: number;
}

/** Of both queues; undefined while they can't be reached. */
export async function countJobs(queues: QueueAccess | undefined): Promise<JobCounts | undefined> {
  try {
    return await withQueues(queues, async ({ ingest, blend }) => {
      const counts = await Promise.all([ingest.getJobCounts(), blend.getJobCounts()]);
      const sum = (...states: string[]) =>
        counts.flatMap((one) => states.map((state) => one[state] ?? 0)).reduce((all, one) => all + one, 0);
      return {
        active: sum('active'),
        waiting: sum('waiting', 'prioritized', 'delayed', 'paused'),
        failed: sum('failed'),
      };
    });
  } catch (error) {
    if (error instanceof HttpError && error.status === 503) return undefined;
    throw error;
  }
}
