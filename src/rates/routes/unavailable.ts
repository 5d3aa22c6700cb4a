import pg from 'pg';
import { HttpError } from '../../http/errors.js';

// PostgreSQL's manual, appendix A: connection exceptions, insufficient resources, operator intervention.
const AWAY_CLASSES = ['08', '53', '57'];

/** A 503 where the database can't be reached; any other error stays what it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) {
    if (!AWAY_CLASSES.includes(error.code?.slice(0, 2) ?? '')) return error;
  } else if (!isConnectionError(error)) return error;
  return new HttpError(
    503,
    'the store can not be reached; rates of all providers together are still served',
    {
      headers: { 'retry-after': '5' },
      cause: error,
    },
  );
}

/** The driver and the system tell a lost or refused connection by a code, or only by what they say. */
function isConnectionError(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every(isConnectionError);
  if ('code' in error && typeof error.code === 'string') return /^E[A-Z]+$/.test(error.code);
  return /connection|timeout|client (was|has)|not queryable|pool/i.test(error.message);
}
