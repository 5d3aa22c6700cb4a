import type { Job } from 'bullmq';
import { hasSucceededSince, readSetAside, setAside } from '../../core/database/set-aside.js';
import type { PrismaTransaction } from '../../core/database/transactions.js';
import { type CalendarDate, daysBetween, toCalendarDate } from '../../core/domain/dates.js';
import { enqueuePast } from '../../core/queues/enqueue.js';
import type { IngestJob } from '../../core/queues/queues.js';
import type { PlanDeps } from './catch-up.js';

/** Attempts at a backfill step before it may be set aside: about half an hour, longer than most temporary faults. */
const ATTEMPTS = 6;

/**
 * What to do when a backfill step fails. After six attempts it is set aside, so that one odd day does not block earlier
 * history; but only if another window of the provider has succeeded since, as otherwise all history would be.
 */
export function openStep(job: Job<IngestJob>) {
  const { provider, from, to } = job.data;
  const attempts = job.attemptsMade + 1;
  let done = false;
  return {
    isSetAside: () => done,
    async onFailure(transaction: PrismaTransaction, reason: string): Promise<void> {
      if (to === undefined || attempts < ATTEMPTS) return;
      if (!(await hasSucceededSince(transaction, provider, new Date(job.timestamp)))) return;
      await setAside(transaction, { provider, from, to, reason, attempts });
      done = true;
    },
  };
}

/** Retries set-aside windows of the providers in `keys`, daily for a week, then weekly. */
export async function retrySetAside(
  { database, queues }: Pick<PlanDeps, 'database' | 'queues'>,
  keys: ReadonlySet<string>,
  today: CalendarDate,
): Promise<void> {
  for (const { provider, from, to, since } of await readSetAside(database)) {
    const age = daysBetween(toCalendarDate(since), today);
    if (keys.has(provider) && (age <= 7 || age % 7 === 0))
      await enqueuePast(queues.ingest, { provider, from, to, reason: 'retry' });
  }
}
