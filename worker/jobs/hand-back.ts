import { DelayedError, type Job } from 'bullmq';

/** Puts a job back for some milliseconds, which costs it no attempt. The error tells the queue so; throw it. */
export async function handBack(
  job: Pick<Job, 'moveToDelayed'>,
  token: string | undefined,
  delayMs: number,
): Promise<DelayedError> {
  // The queue in PostgreSQL takes whole milliseconds only.
  await job.moveToDelayed(Math.round(Date.now() + delayMs), token);
  return new DelayedError();
}
