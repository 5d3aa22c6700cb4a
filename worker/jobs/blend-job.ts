import { DelayedError, type Job } from 'bullmq';
import type { Logger } from 'pino';
import { ProgramOutdated } from '../../core/database/blend-method.js';
import type { Database } from '../../core/database/database.js';
import { inTransaction } from '../../core/database/transactions.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { Announcements } from '../../core/queues/announcements.js';
import type { AppliedBlend, BlendJob, BlendOutcome } from '../../core/queues/queues.js';
import { applyDecision, previewDecision } from '../blend/decisions.js';
import { reblend, rebuild, renewBlends } from '../blend/reblend.js';

export interface BlendJobDeps {
  database: Database;
  announcements: Pick<Announcements, 'publish'>;
  log: Logger;
  /** Called when only newer programs may do the work. Jobs are deferred for them. */
  onOutdated?: (reason: ProgramOutdated) => void;
}

const OUTDATED_MS = 10_000;

/** Creates the processor of `blend` jobs: it blends again what a job says, and announces the change. */
export function blendProcessor(deps: BlendJobDeps) {
  return async (job: Job<BlendJob, BlendOutcome, string>): Promise<BlendOutcome> => {
    const log = deps.log.child({ job: job.id, ...job.data });
    const started = performance.now();
    try {
      if ('preview' in job.data)
        return { version: null, preview: await previewDecision(deps.database, job.data.preview) };
      const version = await blend(deps.database, job.data);
      if (version !== undefined) await deps.announcements.publish(version);
      log.info({ version: version?.toString(), ms: Math.round(performance.now() - started) }, 'blended');
      return { version: version?.toString() ?? null };
    } catch (error) {
      if (error instanceof ProgramOutdated) {
        deps.onOutdated?.(error);
        throw await deferJob(job, OUTDATED_MS);
      }
      log.warn({ attempt: job.attemptsMade + 1, error: reasonOf(error) }, 'blend failed');
      throw error;
    }
  };
}

async function blend(database: Database, wanted: AppliedBlend): Promise<bigint | undefined> {
  if ('decision' in wanted) return applyDecision(database, wanted.decision);
  const { window } = wanted;
  if (!window) return rebuild(database);
  await renewBlends(database);
  return inTransaction(database, (transaction) => reblend(transaction, window));
}

/** Puts a job back for some milliseconds without using up an attempt. Throw the returned error; it tells the queue. */
export async function deferJob(
  job: Pick<Job, 'moveToDelayed' | 'token'>,
  delayMs: number,
): Promise<DelayedError> {
  // The queue in PostgreSQL only accepts whole milliseconds.
  await job.moveToDelayed(Math.round(Date.now() + delayMs), job.token);
  return new DelayedError();
}
