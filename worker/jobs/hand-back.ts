import { DelayedError, type Job } from 'bullmq';

/** Puts a job back for some milliseconds without using up an attempt. Throw the returned error; it tells the queue. */
export async function deferJob(
  job: Pick<Job, 'moveToDelayed'>,
  token: string | undefined,
  delayMs: number,
): Promise<DelayedError> {
  // The queue in PostgreSQL only accepts whole milliseconds.
  await job.moveToDelayed(Math.round(Date.now() + delayMs), token);
  return new DelayedError();
}
