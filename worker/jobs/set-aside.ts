import type { Job } from 'bullmq';
import { hasSucceededSince, setAside } from '../../core/database/set-aside.js';
import type { PrismaTransaction } from '../../core/database/transactions.js';
import type { IngestJob } from '../../core/queues/queues.js';

/**
 * Attempts at a step of a backfill before it may be set aside. With the growing delay between them they last about
 * half an hour, longer than most faults that pass.
 */
const ATTEMPTS = 6;

/**
 * What to do when a step of a backfill fails. After six attempts it is set aside, so that one odd day does not stop
 * the history behind it; but only once another window of the provider has succeeded since the step was asked for.
 * A source that fails everything is out of order as a whole: its steps wait, or all of its history would be set aside.
 */
export function openStep(job: Job<IngestJob>): {
  onFailure: (transaction: PrismaTransaction, reason: string) => Promise<void>;
  /** Whether the step has been set aside. */
  isSetAside: () => boolean;
} {
  const { provider, from, to } = job.data;
  const attempts = job.attemptsMade + 1;
  let done = false;
  return {
    isSetAside: () => done,
    async onFailure(transaction, reason) {
      if (to === undefined || attempts < ATTEMPTS) return;
      if (!(await hasSucceededSince(transaction, provider, new Date(job.timestamp)))) return;
      await setAside(transaction, { provider, from, to, reason, attempts });
      done = true;
    },
  };
}
