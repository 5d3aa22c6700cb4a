import { databaseUnavailable } from '../../http/errors.js';
import type { By } from './audit.js';
import type { Operators } from './operators.js';

/** Records the act, and ends the sessions of all browsers. Returns how many there were. Throws an HttpError 503. */
export async function endSessions(
  { audit, sessions, log }: Pick<Operators, 'audit' | 'sessions' | 'log'>,
  by: By,
): Promise<number> {
  await audit.record(by, 'end all sessions').catch(databaseUnavailable);
  const ended = await sessions.endAll().catch(databaseUnavailable);
  log.info({ ended }, 'an operator ended all sessions');
  return ended;
}
