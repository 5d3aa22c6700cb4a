import pg from 'pg';

// PostgreSQL's manual, appendix A: connection exceptions, insufficient resources, operator intervention.
const UNAVAILABLE_CLASSES = ['08', '53', '57'];

/** Whether an error says that the database can't be reached or can't work now, as opposed to a fault of a query. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_CLASSES.includes(error.code?.slice(0, 2) ?? '');
  return isConnectionError(error);
}

/** The driver and the system tell a lost or refused connection by a code, or only by what they say. */
function isConnectionError(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every(isConnectionError);
  if ('code' in error && typeof error.code === 'string') return /^E[A-Z]+$/.test(error.code);
  return /connection|timeout|client (was|has)|not queryable|pool/i.test(error.message);
}
