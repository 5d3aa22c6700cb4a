import { createHash, randomUUID } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import type { CalendarDate } from '../domain/dates.js';
import type { BlendQueue, IngestJob, IngestQueue, JobQueue } from './queues.js';

/** How often a job is tried. With the growing delay between attempts, a hundred last about four days. */
const PATIENT = 100;
const OPERATOR = 5;

/** Backfills come after everything that brings new rates. */
const BACKFILL_PRIORITY = 10;

interface Planned {
  id: string;
  /** Milliseconds to wait before the first attempt. */
  delay?: number;
}

/**
 * Asks for a provider's newest rates, from `from` on. `slot` names the moment it is due: all workers that add the
 * same slot make one job. While an earlier such job of the provider waits, runs or is tried again, none is added.
 */
export async function enqueueRecent(
  queue: IngestQueue,
  job: Pick<IngestJob, 'provider' | 'from'> & { reason: 'schedule' | 'catch-up' },
  { id: slot, delay }: Planned,
): Promise<void> {
  const jobId = `ingest-${job.provider}-${job.reason}-${slot}`;
  if (await queue.getJob(jobId)) return;
  await addOnce(queue, 'recent', job, `${job.provider}-recent`, {
    jobId,
    attempts: PATIENT,
    ...(delay === undefined ? {} : { delay }),
  });
}

/** Asks for one step of a provider's backfill, unless that step is waiting or under way. */
export async function enqueueBackfill(
  queue: IngestQueue,
  provider: string,
  window: { from: CalendarDate; to: CalendarDate },
): Promise<void> {
  const job: IngestJob = { provider, ...window, reason: 'backfill' };
  const options = { attempts: PATIENT, priority: BACKFILL_PRIORITY };
  await addOnce(queue, 'backfill', job, `${provider}-backfill-${window.to}`, options);
}

/** Asks for a window on an operator's word. Returns the job's id: that of the one under way, if asked before. */
export async function enqueueIngest(queue: IngestQueue, job: Omit<IngestJob, 'reason'>): Promise<string> {
  const key = `${job.provider}-operator-${job.from}-${job.to ?? 'now'}`;
  return addOnce(queue, 'operator', { ...job, reason: 'operator' }, key, { attempts: OPERATOR });
}

/** Asks for a blend. As above, the same blend asked for twice is one job while it waits or runs. */
export async function enqueueBlend(
  queue: BlendQueue,
  window: { from: CalendarDate; to: CalendarDate } | null,
): Promise<string> {
  const key = window ? `${window.from}-${window.to}` : 'everything';
  return addOnce(queue, 'blend', { window }, key, { attempts: OPERATOR });
}

/**
 * Adds a job unless one with the same key waits, runs or is to be tried again; returns the id of the one there is
 * then. A key whose job is over is let go first: should the queue ever keep one, nothing would be added any more.
 */
async function addOnce<Data, Outcome>(
  queue: JobQueue<Data, Outcome>,
  name: string,
  data: Data,
  key: string,
  options: JobsOptions,
): Promise<string> {
  const holder = await queue.getDeduplicationJobId(key);
  if (holder !== null && OVER.has(await queue.getJobState(holder))) await queue.removeDeduplicationKey(key);
  // An id of its own, as the queue's numbers begin again when Redis is flushed, and runs are remembered longer.
  const jobId = options.jobId ?? `${queue.name}-${key}-${randomUUID().slice(0, 8)}`;
  const added = await queue.add(name, data, { ...options, jobId, deduplication: { id: key } });
  return added.id ?? '';
}

const OVER = new Set<string>(['completed', 'failed', 'unknown']);

/**
 * A share from 0 to 1 that is the same for the same text: spreads providers over a span of time, the same way in
 * every worker.
 */
export function share(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
