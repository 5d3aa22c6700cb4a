import { type QueueAccess, withReachableQueues } from '../queue-access.js';

export interface JobCounts {
  active: number;
  /** Also those that are delayed, such as between two attempts. */
  waiting: number;
  failed: number;
}

/** Of both queues; undefined while they can't be reached. */
export function countJobs(queues: QueueAccess | undefined): Promise<JobCounts | undefined> {
  return withReachableQueues(queues, async ({ ingest, blend }) => {
    const counts = await Promise.all([ingest.getJobCounts(), blend.getJobCounts()]);
    const sum = (...states: string[]) =>
      counts.flatMap((one) => states.map((state) => one[state] ?? 0)).reduce((all, one) => all + one, 0);
    return {
      active: sum('active'),
      waiting: sum('waiting', 'prioritized', 'delayed', 'paused'),
      failed: sum('failed'),
    };
  });
}
