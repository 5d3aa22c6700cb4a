import pg from 'pg';
import { Prisma } from './generated/prisma/client.js';

/** A failure of a statement that Prisma ran, in PostgreSQL's words and without those that Prisma puts around them. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** What Prisma's adapter tells of the driver's error. */
interface DriverError {
  originalCode?: string;
  originalMessage?: string;
  kind?: string;
}

// What the adapter makes of errors of the connection, which have no SQLSTATE of their own.
const CONNECTION_FAILURE = '08006';
const CONNECTION_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
]);

/** The error as PostgreSQL gave it where Prisma wrapped it, for whoever reads logs; any other stays what it is. */
export function asDatabaseError(error: unknown): unknown {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return error;
  const { cause = {} } = (error.meta?.driverAdapterError ?? {}) as { cause?: DriverError };
  const { originalMessage, originalCode, kind = '' } = cause;
  const code = originalCode ?? (CONNECTION_KINDS.has(kind) ? CONNECTION_FAILURE : undefined);
  const said = new DatabaseError(originalMessage ?? lastLine(error.message), code);
  // Where it was thrown says more than where it was translated.
  said.stack = [`${said.name}: ${said.message}`, ...framesOf(error)].join('\n');
  return said;
}

// PostgreSQL's manual, appendix A: connection exceptions, insufficient resources, operator intervention.
const UNAVAILABLE_CLASSES = ['08', '53', '57'];

/** Whether an error means that the database can't be reached or doesn't serve us now, and says nothing of the query. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError || error instanceof DatabaseError) {
    if (error.code !== undefined) return UNAVAILABLE_CLASSES.includes(error.code.slice(0, 2));
  }
  return isConnectionError(error);
}

/** The driver and the system tell a lost or refused connection by a code, or only by what they say. */
function isConnectionError(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every(isConnectionError);
  if ('code' in error && typeof error.code === 'string') return /^E[A-Z]+$/.test(error.code);
  return /connection|timeout|client (was|has)|not queryable|pool/i.test(error.message);
}

function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

/** Prisma's messages begin with the call and end with what went wrong. */
function lastLine(message: string): string {
  return message.trim().split('\n').at(-1) ?? message;
}
