import pg from 'pg';
import { Prisma } from './generated/prisma/client.js';

/** What PostgreSQL said to a statement that Prisma ran, without Prisma's own words around it. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE; undefined where the failure is not the server's. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, options: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

interface DriverError {
  originalCode?: string;
  originalMessage?: string;
  message?: string;
  kind?: string;
}

/** The error as PostgreSQL gave it where Prisma wrapped it, for whoever reads logs; any other stays what it is. */
export function asDatabaseError(error: unknown): unknown {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return error;
  const driver = error.meta?.driverAdapterError as { cause?: DriverError } | undefined;
  const said = driver?.cause;
  const message = said?.originalMessage ?? said?.message ?? said?.kind ?? lastLine(error.message);
  return new DatabaseError(message, said?.originalCode, { cause: error });
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

/** Prisma's messages begin with the call and end with what went wrong. */
function lastLine(message: string): string {
  return message.trim().split('\n').at(-1) ?? message;
}
