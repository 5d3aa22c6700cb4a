import pg from 'pg';
import { CERTIFICATE_CODE, TLS_CODE } from '../process/tls-codes.js';
import { Prisma } from './generated/prisma/client.js';

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';

  constructor(
    message: string,
    /** SQLSTATE. */
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

interface DriverError {
  originalCode?: string;
  originalMessage?: string;
  kind?: string;
}

// The adapter's names for connection errors, which have no SQLSTATE.
const CONNECTION_FAILURE = '08006';
const CONNECTION_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
]);

/** Extracts PostgreSQL's error from Prisma's, so that logs show it. Returns any other error unchanged. */
export function asDatabaseError(error: unknown): unknown {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return error;
  const { cause = {} } = (error.meta?.driverAdapterError ?? {}) as { cause?: DriverError };
  const { originalMessage, originalCode, kind = '' } = cause;
  const code = originalCode ?? (CONNECTION_KINDS.has(kind) ? CONNECTION_FAILURE : undefined);
  // Prisma's messages start with the call and end with the actual error.
  const said = new DatabaseError(originalMessage ?? error.message.trim().replace(/^.*\n/s, ''), code);
  // The stack of the original is more useful than that of the new error.
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  said.stack = [`${said.name}: ${said.message}`, ...frames].join('\n');
  return said;
}

// PostgreSQL's manual, appendix A: connection exceptions, insufficient resources, operator intervention.
const UNAVAILABLE_CLASSES = ['08', '53', '57'];
/** The server is read-only: a replica, or after a failover another server is the primary. */
const READ_ONLY = '25006';
const INSUFFICIENT_PRIVILEGE = '42501';

export function isReadOnly(error: unknown): boolean {
  return (error instanceof pg.DatabaseError || error instanceof DatabaseError) && error.code === READ_ONLY;
}

/** The server is read-only, or the user lacks a privilege. */
export function isForbidden(error: unknown): boolean {
  return isReadOnly(error) || (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE);
}

/** Why there is no TLS with the server, as in every further attempt. Undefined for all other errors. */
export function tlsFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (CERTIFICATE_CODE.test(code)) return `its certificate is not trusted: ${error.message} (${code})`;
  if (TLS_CODE.test(code)) return `it accepts neither our version nor our certificate (${code})`;
  return error.message.includes('does not support SSL') ? 'it has none' : undefined;
}

/** Whether the database is unreachable or accepts no queries at present. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError || error instanceof DatabaseError) {
    if (error.code === READ_ONLY) return true;
    if (error.code !== undefined) return UNAVAILABLE_CLASSES.includes(error.code.slice(0, 2));
  }
  return tlsFailure(error) !== undefined || isConnectionError(error);
}

/** The driver and the system report a lost or refused connection by a code, or only by a message. */
function isConnectionError(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every(isConnectionError);
  // The reason of an aborted signal: the caller has left or no longer waits.
  if (error instanceof DOMException) return false;
  if ('code' in error && typeof error.code === 'string') return /^E[A-Z_]+$/.test(error.code);
  return /connection|timeout|client (was|has)|not queryable|pool/i.test(error.message);
}
