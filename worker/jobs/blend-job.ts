import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { inTransaction } from '../../core/database/transactions.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { Announcements } from '../../core/queues/announcements.js';
import type { BlendJob, BlendOutcome } from '../../core/queues/queues.js';
import { reblend, rebuild } from '../blend/reblend.js';

export interface BlendJobDeps {
  database: Database;
  announcements: Pick<Announcements, 'publish'>;
  log: Logger;
}

/** What a worker does with a `blend` job: blends a window again, or everything, and announces what changed. */
export function blendProcessor(deps: BlendJobDeps) {
  return async (job: Job<BlendJob, BlendOutcome, string>): Promise<BlendOutcome> => {
    const { window } = job.data;
    const log = deps.log.child({ job: job.id, window: window ?? 'everything' });
    const started = performance.now();
    try {
      const version = window
        ? await inTransaction(deps.database, (transaction) => reblend(transaction, window))
        : await rebuild(deps.database);
      if (version !== undefined) await deps.announcements.publish(version);
      log.info({ version: version?.toString(), ms: Math.round(performance.now() - started) }, 'blended');
      return { version: version?.toString() ?? null };
    } catch (error) {
      log.warn({ attempt: job.attemptsMade + 1, error: reasonOf(error) }, 'blend failed');
      throw error;
    }
  };
}
