import { findDecidable, type Proposal } from '../../../core/database/decisions.js';
import { notePendingJob } from '../../../core/database/operators.js';
import { enqueueDecision } from '../../../core/queues/enqueue.js';
import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import { withQueues } from '../queue-access.js';
import type { By } from './audit.js';
import type { Operators } from './operators.js';

export const SUSPECT_ID = /^\d{1,18}$/;

/**
 * Records a decision on a suspect, and adds a job that applies it. Returns the ID of the job. Throws an HttpError: 404 if there
 * is no such suspect (see `findDecidable`), 503 without the database or the queues.
 */
export async function requestDecision(
  { audit, database, queues, log }: Pick<Operators, 'audit' | 'database' | 'queues' | 'log'>,
  by: By,
  proposal: Proposal,
): Promise<string> {
  const { suspect, status } = proposal;
  // Without the queues, the decision could not be applied.
  await withQueues(queues, async () => undefined);
  const found =
    SUSPECT_ID.test(suspect) && (await findDecidable(database, proposal).catch(databaseUnavailable));
  if (!found) throw new HttpError(404, `no such suspect: ${excerpt(suspect)}`);
  const decision = await audit.recordDecision(by, proposal).catch(databaseUnavailable);
  const id = await withQueues(queues, ({ blend }) => enqueueDecision(blend, decision));
  const pending = { queue: 'blend', id, wanted: { decision } } as const;
  await notePendingJob(database, BigInt(decision.act), pending).catch(databaseUnavailable);
  log.info({ suspect, status, job: id }, 'an operator decided on a suspect rate');
  return id;
}
