import type { Job } from 'bullmq';
import type { Database } from '../../core/database/database.js';
import { hasSucceededSince, readSetAside, setAside } from '../../core/database/set-aside.js';
import type { PrismaTransaction } from '../../core/database/transactions.js';
import { type CalendarDate, daysBetween, toCalendarDate } from '../../core/domain/dates.js';
import { enqueueRetry } from '../../core/queues/enqueue.js';
import type { IngestJob, IngestQueue } from '../../core/queues/queues.js';

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

/**
 * Asks again for what is set aside: each day for a week, as a bank mends a misprint soon or not at all, then once a week.
 * `keys` are the providers that can be asked.
 */
export async function retrySetAside(
  { database, queue }: { database: Database; queue: IngestQueue },
  keys: ReadonlySet<string>,
  today: CalendarDate,
): Promise<void> {
  for (const { provider, from, to, since } of await readSetAside(database)) {
    if (keys.has(provider) && isToBeTried(daysBetween(toCalendarDate(since), today)))
      await enqueueRetry(queue, provider, { from, to });
  }
}

function isToBeTried(age: number): boolean {
  return age <= 7 || age % 7 === 0;
}
