import { notePendingJob } from '../../../core/database/operators.js';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { databaseUnavailable } from '../../http/errors.js';
import { withQueues } from '../queue-access.js';
import type { By } from './audit.js';
import type { Operators } from './operators.js';

interface Wanted {
  provider: string;
  from: CalendarDate;
  to?: CalendarDate;
}

/** Records the act, and adds a job that reads a source again. Returns the ID of the job. Throws an HttpError 503. */
export async function requestIngest(
  { audit, database, queues, log }: Pick<Operators, 'audit' | 'database' | 'queues' | 'log'>,
  by: By,
  wanted: Wanted,
): Promise<string> {
  const act = await audit.record(by, 'ingest', { ...wanted }).catch(databaseUnavailable);
  const id = await withQueues(queues, ({ ingest }) => enqueueIngest(ingest, wanted));
  await notePendingJob(database, act, { queue: 'ingest', id, wanted }).catch(databaseUnavailable);
  log.info({ ...wanted, job: id }, 'an operator requested an ingest');
  return id;
}
