import * as z from 'zod';
import { findDecidable, type Proposal } from '../../../core/database/decisions.js';
import { deleteAllSessions, notePendingJob, type PendingJob } from '../../../core/database/operators.js';
import { addDays, type CalendarDate, type Clock, today } from '../../../core/domain/dates.js';
import { isExcepted } from '../../../core/domain/providers.js';
import { enqueuePending, type OperatorJob } from '../../../core/queues/enqueue.js';
import { customSourceOf } from '../../../core/sources/custom-sources.js';
import { HttpError, parameterError } from '../../http/errors.js';
import type { RequestContext } from '../../http/route.js';
import { dateParameter, providerInPath } from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { check } from '../../parameters/query.js';
import { withQueues } from '../queue-access.js';
import type { By, Operators } from './operators.js';

export const SUSPECT_ID = /^\d{1,18}$/;

/**
 * Records the act, and adds a job that reads a source again. Returns the ID of the job. Throws an HttpError: 422 for an own source
 * that is only imported, 503 without the queues.
 */
export async function requestIngest(
  operators: Operators,
  by: By,
  wanted: Extract<PendingJob, { queue: 'ingest' }>['wanted'],
): Promise<string> {
  const source = customSourceOf(wanted.provider);
  if (source && !source.read)
    throw new HttpError(422, `${source.key} can only be imported: its file in SOURCES_DIR has no read`);
  const act = await operators.audit.record(by, 'ingest', { ...wanted });
  return addJob(operators, act, { queue: 'ingest', wanted });
}

/** Records the act, and adds a job that rebuilds all blended rates. Returns the ID of the job. Throws an HttpError 503. */
export async function requestRebuild(operators: Operators, by: By): Promise<string> {
  const act = await operators.audit.record(by, 'rebuild');
  return addJob(operators, act, { queue: 'blend', wanted: { window: null } });
}

/**
 * Records a decision on a suspect, and adds a job that applies it. Returns the ID of the job. Throws an HttpError: 404 if there
 * is no such suspect (see `findDecidable`), 503 without the queues.
 */
export async function requestDecision(operators: Operators, by: By, proposal: Proposal): Promise<string> {
  const { audit, database, queues } = operators;
  const { suspect } = proposal;
  // Without the queues, the decision could not be applied.
  await withQueues(queues, async () => undefined);
  const found = SUSPECT_ID.test(suspect) && (await findDecidable(database, proposal));
  if (!found) throw new HttpError(404, `no such suspect: ${excerpt(suspect)}`);
  const decision = await audit.recordDecision(by, proposal);
  return addJob(operators, BigInt(decision.act), { queue: 'blend', wanted: { decision } });
}

/** Adds the job of a recorded act, and notes it with the act, so that it is done even if the queue loses it. */
async function addJob({ database, queues, log }: Operators, act: bigint, job: OperatorJob): Promise<string> {
  const id = await withQueues(queues, (opened) => enqueuePending(opened, job));
  await notePendingJob(database, act, { ...job, id });
  log.info({ ...job, job: id }, 'an operator requested a job');
  return id;
}

/** Records the act, and ends the sessions of all browsers. Returns how many there were. */
export async function endSessions({ audit, database, log }: Operators, by: By): Promise<number> {
  await audit.record(by, 'end all sessions');
  const ended = await deleteAllSessions(database);
  log.info({ ended }, 'an operator ended all sessions');
  return ended;
}

/** The days to read again by default: those that banks still correct. */
export const USUAL_DAYS = 14;
/** No bank has earlier rates. */
export const FIRST_DAY: CalendarDate = '1940-01-01';

export const windowBody = z.strictObject({
  from: dateParameter.optional().meta({ description: `${USUAL_DAYS} days by default` }),
  to: dateParameter
    .optional()
    .meta({ description: 'By default, the newest day that the source has when the job runs' }),
});

/** Throws an HttpError 404 for a key that is unknown or excepted. */
export function providerKey(text = ''): string {
  const key = text.trim().toUpperCase();
  if (!isExcepted(key)) return providerInPath(key);
  throw new HttpError(404, `PROVIDERS_EXCEPT leaves ${key} out`, { code: 'unknown_provider' });
}

/** Throws an HttpError if the window is invalid. */
export function readWindow(context: RequestContext, clock: Clock): { from: CalendarDate; to?: CalendarDate } {
  const { from: wanted, to } = check(windowBody, bodyOf(context));
  const now = today(clock);
  if (to !== undefined && to > now) throw parameterError(422, 'to', `to lies in the future: ${to}`);
  const from = wanted ?? addDays(to ?? now, 1 - USUAL_DAYS);
  if (from < FIRST_DAY) throw parameterError(422, 'from', `from is before ${FIRST_DAY}: ${from}`);
  if (from > (to ?? now)) {
    const end = to === undefined ? 'lies in the future' : `is after to, ${to}`;
    throw parameterError(422, 'from', `from ${end}: ${from}`);
  }
  return to === undefined ? { from } : { from, to };
}

/** A missing body counts as empty. The parser leaves a body undefined if it is not JSON. */
function bodyOf({ body, headers }: RequestContext): unknown {
  if (body !== undefined) return body;
  const length = headers['content-length'];
  const isSent = headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (isSent) throw new HttpError(415, 'the body must be application/json');
  return {};
}
