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
 * Sets a failed backfill step aside after six attempts, so that one odd day does not block earlier history; but only if another
 * window of the provider has succeeded since, as otherwise all history would be. Returns whether it did.
 */
export async function setStepAside(
  transaction: PrismaTransaction,
  { data: { provider, from, to }, attemptsMade, timestamp }: Job<IngestJob>,
  reason: string,
): Promise<boolean> {
  const attempts = attemptsMade + 1;
  if (to === undefined || attempts < ATTEMPTS) return false;
  if (!(await hasSucceededSince(transaction, provider, new Date(timestamp)))) return false;
  await setAside(transaction, { provider, from, to, reason, attempts });
  return true;
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
