import type { Job } from 'bullmq';
import * as z from 'zod';
import type { Database } from '../../../core/database/database.js';
import { findRunOfJob } from '../../../core/database/ingest-runs.js';
import type { Queues } from '../../../core/queues/queues.js';
import { HttpError } from '../../http/errors.js';
import { exampleOf } from '../../openapi/responses.js';
import { excerpt } from '../../parameters/excerpt.js';
import { withQueues } from '../queue-access.js';
import type { By, Operators } from './operators.js';

const countsByReason = z.record(z.string(), z.number().int()).meta({ example: {} });
const provider = z.string().meta({ example: 'ECB' });
const from = z.iso.date().meta({ example: '2026-03-01' });
const to = z.iso.date().meta({ example: '2026-03-18' });
const count = z.number().int().meta({ example: 0 });
/** JSON writes it as text. */
const instant = z.date().meta({ format: 'date-time', example: '2026-03-18T15:02:12.310Z' });

export const runSchema = z
  .object({
    id: z.string().meta({ example: '812' }),
    provider,
    job: z.string().nullable().meta({ example: 'ingest-ECB-operator-2026-03-01-now-1f0c8a2d' }),
    reason: z.string().meta({ description: 'schedule, catch-up, backfill, operator', example: 'operator' }),
    from,
    to: to.nullable(),
    outcome: z.enum(['succeeded', 'failed', 'running']),
    rowsNew: count,
    rowsCorrected: z.number().int().meta({ example: 2 }),
    rowsUnchanged: z.number().int().meta({ example: 388 }),
    rowsDropped: countsByReason.meta({ description: 'Rows left out by validation, by reason' }),
    rowsSkipped: countsByReason.meta({ description: 'Records that the feed skipped, by reason' }),
    noData: countsByReason.meta({
      description: 'Responses without rates, by the reason that the source documents',
    }),
    responses: z.number().int().meta({ description: 'Responses of the source', example: 1 }),
    responseBytes: z.number().int().meta({ description: 'Bytes of their bodies', example: 24_310 }),
    error: z.string().nullable(),
    startedAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'Run' });

export const jobSchema = z
  .object({
    id: z.string().meta({ example: 'ingest-ECB-operator-2026-03-01-now-1f0c8a2d' }),
    queue: z.enum(['ingest', 'blend']),
    state: z.string().meta({
      description: 'waiting, prioritized, delayed (also before a retry), active, completed or failed',
      example: 'completed',
    }),
    wanted: z.unknown().meta({
      description: 'What the job does',
      example: { provider: 'ECB', from: '2026-03-01', reason: 'operator' },
    }),
    attempts: z.number().int().nullable().meta({ description: 'Number of attempts', example: 1 }),
    progress: z.unknown().meta({ description: 'The current step of an ingest', example: { step: 'stored' } }),
    outcome: z.unknown().meta({
      description: 'The result of a completed job',
      example: { run: '812', rowsNew: 0, rowsCorrected: 2 },
    }),
    error: z.string().nullable().meta({ description: 'Why the newest attempt failed' }),
    createdAt: instant.nullable(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'Job' });

export const exampleJob = exampleOf(jobSchema);

export type JobAnswer = z.output<typeof jobSchema>;

const QUEUES = ['ingest', 'blend'] as const;

/** `ErrorCode.JobNotInState` of BullMQ, which is only loaded once the queues are used. */
const NOT_IN_STATE = -3;

/** For a job that the queue has lost, for example by a flush of Redis, its newest run. Throws an HttpError 404 or 503. */
export async function knownJob(operators: Operators, id: string): Promise<JobAnswer> {
  const job = await findJob(operators, id);
  if (!job) throw new HttpError(404, `no such job: ${excerpt(id)}`);
  return job;
}

/** Like `knownJob`, but undefined if the job is unknown. */
export async function findJob({ database, queues }: Operators, id: string): Promise<JobAnswer | undefined> {
  return (await withQueues(queues, (opened) => findQueued(opened, id))) ?? (await jobOfRun(database, id));
}

async function findQueued(queues: Queues, id: string): Promise<JobAnswer | undefined> {
  if (id.includes('\0')) return undefined; // PostgreSQL has no NUL in texts.
  for (const name of QUEUES) {
    const job = await queues[name].getJob(id);
    if (job) return jobOf(name, job, await job.getState());
  }
  return undefined;
}

export interface ListedJob extends JobAnswer {
  /** When it started, may start or ended; null if it waits for its turn. */
  at: Date | null;
}

export type ListedState = 'active' | 'waiting' | 'prioritized' | 'delayed' | 'failed' | 'completed';

/** The jobs in some states, at most `limit` of each state and queue: ended ones newest first, others in their order. */
export async function listJobs(queues: Queues, states: ListedState[], limit: number): Promise<ListedJob[]> {
  const listed: ListedJob[] = [];
  for (const state of states) {
    const hasEnded = state === 'completed' || state === 'failed';
    for (const name of QUEUES) {
      const jobs = await queues[name].getJobs([state], 0, limit - 1, !hasEnded);
      listed.push(...jobs.map((job) => ({ ...jobOf(name, job, state), at: dateOf(timeOf(job, state)) })));
    }
    if (hasEnded) listed.sort((one, other) => Number(other.at) - Number(one.at));
  }
  return listed;
}

function timeOf({ processedOn, finishedOn, timestamp, delay }: Job, state: ListedState): number | undefined {
  if (state === 'delayed') return (processedOn ?? timestamp) + delay;
  return state === 'active' ? processedOn : finishedOn;
}

/** Throws an HttpError 404, 409 or 503. */
export async function failedJob(queues: Operators['queues'], id: string): Promise<JobAnswer> {
  const job = await withQueues(queues, (opened) => findQueued(opened, id));
  if (!job) throw new HttpError(404, `the queue has no such job: ${excerpt(id)}`);
  if (job.state !== 'failed') throw notFailed(id);
  return job;
}

const notFailed = (id: string) => new HttpError(409, `the job has not failed: ${id}`);

/** Gives a failed job one more attempt. Throws an HttpError 404, 409 or 503. */
export async function retryJob({ audit, queues, log }: Operators, by: By, id: string): Promise<void> {
  const { queue } = await failedJob(queues, id);
  await audit.record(by, 'retry job', { job: id });
  await withQueues(queues, async (opened) => {
    const job: Pick<Job, 'retry'> | undefined = await opened[queue].getJob(id);
    await job?.retry('failed').catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === NOT_IN_STATE ? notFailed(id) : error;
    });
  });
  log.info({ job: id }, 'an operator requested a retry of a job');
}

async function jobOfRun(database: Database, id: string): Promise<JobAnswer | undefined> {
  const found = id.includes('\0') ? undefined : await findRunOfJob(database, id);
  if (!found) return undefined;
  const { provider, reason, from, to, outcome, error, startedAt, finishedAt } = found;
  const { rowsNew, rowsCorrected, rowsUnchanged, rowsDropped, rowsSkipped } = found;
  const done = { run: found.id, rowsNew, rowsCorrected, rowsUnchanged, rowsDropped, rowsSkipped };
  return {
    id,
    queue: 'ingest',
    state: outcome === 'running' ? 'active' : outcome === 'succeeded' ? 'completed' : 'failed',
    wanted: { provider, from, to, reason },
    attempts: null,
    progress: null,
    outcome: outcome === 'succeeded' ? done : null,
    error,
    createdAt: null,
    startedAt,
    finishedAt,
  };
}

function jobOf(queue: JobAnswer['queue'], job: Job, state: string): JobAnswer {
  return {
    id: job.id ?? '',
    queue,
    state,
    wanted: job.data,
    attempts: job.attemptsMade,
    // The queue returns 0 until the worker has reported progress.
    progress: job.progress === 0 ? null : job.progress,
    outcome: job.returnvalue ?? null,
    error: state === 'completed' ? null : (job.failedReason ?? null),
    createdAt: dateOf(job.timestamp),
    startedAt: dateOf(job.processedOn),
    finishedAt: dateOf(job.finishedOn),
  };
}

function dateOf(milliseconds: number | undefined): Date | null {
  return milliseconds ? new Date(milliseconds) : null;
}
