import { notePendingJob } from '../../../core/database/operators.js';
import { enqueueBlend } from '../../../core/queues/enqueue.js';
import { databaseUnavailable } from '../../http/errors.js';
import { withQueues } from '../queue-access.js';
import type { By } from './audit.js';
import type { Operators } from './operators.js';

/** Records the act, and adds a job that rebuilds all blended rates. Returns the ID of the job. Throws an HttpError 503. */
export async function requestRebuild(
  { audit, database, queues, log }: Pick<Operators, 'audit' | 'database' | 'queues' | 'log'>,
  by: By,
): Promise<string> {
  const act = await audit.record(by, 'rebuild').catch(databaseUnavailable);
  const id = await withQueues(queues, ({ blend }) => enqueueBlend(blend, null));
  const job = { queue: 'blend', id, wanted: { window: null } } as const;
  await notePendingJob(database, act, job).catch(databaseUnavailable);
  log.info({ job: id }, 'an operator requested a rebuild of all blends');
  return id;
}
