import { createHash, randomUUID } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import type { Proposal } from '../database/decisions.js';
import type { PendingJob } from '../database/operators.js';
import type { CalendarDate } from '../domain/dates.js';
import type { AppliedBlend, BlendQueue, IngestJob, IngestQueue, JobQueue, Queues } from './queues.js';

/** With the growing delay between attempts, a hundred attempts take about four days. */
const MAX_ATTEMPTS = 100;
const OPERATOR_ATTEMPTS = 5;

const BACKFILL_PRIORITY = 10;

/**
 * Adds one job per time slot, and none while an earlier one of this kind is waiting, running or between attempts. `delay` is
 * in milliseconds before the first attempt.
 */
export async function enqueueRecent(
  queue: IngestQueue,
  job: Pick<IngestJob, 'provider' | 'from' | 'newerThan'> & { reason: 'schedule' | 'catch-up' },
  { id: slot, delay = 0 }: { id: string; delay?: number },
): Promise<void> {
  const jobId = `ingest-${job.provider}-${job.reason}-${slot}`;
  const options = { attempts: MAX_ATTEMPTS, delay };
  await addOnce(queue, 'recent', job, `${job.provider}-recent`, options, jobId);
}

/** Adds a step of a backfill, or a job that tries a set-aside window once, unless it is already waiting or running. */
export async function enqueuePast(
  queue: IngestQueue,
  job: { provider: string; from: CalendarDate; to: CalendarDate; reason: 'backfill' | 'retry' },
): Promise<void> {
  const { provider, reason, from, to } = job;
  const options = { attempts: reason === 'retry' ? 1 : MAX_ATTEMPTS, priority: BACKFILL_PRIORITY };
  await addOnce(queue, reason, job, `${provider}-${reason}-${from}-${to}`, options);
}

/** Returns its ID, or that of an identical unfinished job. Pass the ID to add a known job again. */
export async function enqueueIngest(
  queue: IngestQueue,
  job: Omit<IngestJob, 'reason'>,
  jobId?: string,
): Promise<string> {
  const key = `${job.provider}-operator-${job.from}-${job.to ?? 'now'}`;
  const options = { attempts: OPERATOR_ATTEMPTS };
  return addOnce(queue, 'operator', { ...job, reason: 'operator' }, key, options, jobId);
}

/** Returns its ID, or that of an identical unfinished job. A job with a given ID is only added once. */
export async function enqueueBlend(queue: BlendQueue, job: AppliedBlend, jobId?: string): Promise<string> {
  if ('decision' in job) {
    const options = { attempts: MAX_ATTEMPTS };
    return addOnce(queue, 'blend', job, `decision-${job.decision.act}`, options, jobId);
  }
  const key = job.window ? `${job.window.from}-${job.window.to}` : 'everything';
  return addOnce(queue, 'blend', job, key, { attempts: OPERATOR_ATTEMPTS }, jobId);
}

type WithoutId<Job> = Job extends PendingJob ? Omit<Job, 'id'> & { id?: string } : never;
/** The job of an operator's act. It has an ID if the queue has lost it and it is added again. */
export type OperatorJob = WithoutId<PendingJob>;

/** Returns its ID, or that of an identical unfinished job. */
export function enqueuePending(
  { ingest, blend }: Pick<Queues, 'ingest' | 'blend'>,
  { id, ...job }: OperatorJob,
): Promise<string> {
  return job.queue === 'ingest' ? enqueueIngest(ingest, job.wanted, id) : enqueueBlend(blend, job.wanted, id);
}

/** Returns its ID: one job for each proposal and data version, unless the known one failed or was too busy. */
export async function enqueuePreview(queue: BlendQueue, preview: Proposal, version: bigint): Promise<string> {
  const { suspect, status, only = 'question' } = preview;
  const jobId = `blend-preview-${suspect}-${status}-${only}-${version}`;
  const known = await queue.getJob(jobId);
  const isUseless = known && (known.returnvalue?.preview === 'busy' || (await known.getState()) === 'failed');
  if (isUseless) await known.remove();
  await queue.add('blend', { preview }, { jobId, attempts: 1 });
  return jobId;
}

/** Adds no job of an unfinished key or known ID. Removes a finished job's key, which would block further jobs. */
async function addOnce<Data, Outcome>(
  queue: JobQueue<Data, Outcome>,
  name: string,
  data: Data,
  key: string,
  options: JobsOptions,
  known?: string,
): Promise<string> {
  if (known !== undefined && (await queue.getJob(known))) return known;
  // Not the queue's own number: the numbers restart after a flush of Redis, and runs in the database reference jobs.
  const jobId = known ?? `${queue.name}-${key}-${randomUUID().slice(0, 8)}`;
  const added = await queue.add(name, data, { ...options, jobId, deduplication: { id: key } });
  return added.id ?? '';
}

/** A number in [0, 1) from the hash of a text. It spreads providers over a period, in the same way in every worker. */
export function share(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
