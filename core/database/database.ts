import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import { PrismaClient } from './generated/prisma/client.js';

/** PostgreSQL, through Prisma for ordinary reads and writes and through the pool for set-based SQL. */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  log?: Logger;
  /** Most connections at a time. */
  connections?: number;
  /** Longest that one statement may run. Long work lifts it with `set local statement_timeout`. */
  statementTimeoutMs?: number;
  /** Longest wait for a connection: more for a program that computes for seconds without looking at its sockets. */
  connectTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_MS = 30_000;
const MINUTE_MS = 60_000;

/**
 * Opens the database at a `postgres://` URL. Nothing is connected until the first query, which throws what the
 * server or the network answers. A connection that breaks is dropped and the next query gets a new one.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 5 * MINUTE_MS;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 8,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 5 * MINUTE_MS,
    keepAlive: true,
    application_name: 'almanac',
    types: { getTypeParser },
  });
  const onError = (error: Error) => options.log?.warn({ reason: error.message }, 'database connection lost');
  // Without a listener a broken connection ends the process, idle or in use.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/**
 * Runs the work in one transaction on one connection: committed when it returns, rolled back when it throws.
 * The error of the work is what is thrown, even where the rollback fails too.
 */
export async function withTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  }
}

/** Dates stay text: as JavaScript dates they would be instants of the local time zone. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.DATE
    ? (text: string) => text
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;
