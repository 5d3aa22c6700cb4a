import { Socket } from 'node:net';
import type pg from 'pg';
import { within } from '../concurrency/within.js';
import { CLIENT_CHECK_MS, type Database, poolOf, prismaOf, runWithConnection } from './database.js';
import { asDatabaseError, isUnavailable } from './errors.js';
import type { Prisma } from './generated/prisma/client.js';
import { type Sql, sql } from './sql.js';

/** Only this folder runs statements; other code passes the transaction on. */
export interface Transaction {
  /** Dates and 64-bit integers must be cast to text, which both kinds of transaction return alike. */
  query<Row>(statement: Sql): Promise<Row[]>;
  /** Returns the number of affected rows. */
  execute(statement: Sql): Promise<number>;
  /** For COPY, which Prisma does not support. */
  readonly client: pg.PoolClient;
}

export interface PrismaTransaction extends Transaction {
  readonly prisma: Prisma.TransactionClient;
}

/** Runs the work in a transaction, which rolls back if the work throws. Database errors become a DatabaseError. */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: PrismaTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await runWithConnection(database, (connection) =>
      prismaOf(database).$transaction((prisma) => work(prismaTransaction(prisma, connection()))),
    );
  } catch (error) {
    throw asDatabaseError(error);
  }
}

export async function rowsOf<Row>(from: Database | Transaction, query: Sql): Promise<Row[]> {
  if ('query' in from) return from.query(query);
  const { text, values } = query;
  return (await poolOf(from).query({ text, values })).rows as Row[];
}

/** The row of a statement that always has one. */
export async function rowOf<Row>(from: Database | Transaction, query: Sql): Promise<Row> {
  const [row] = await rowsOf<Row>(from, query);
  if (row === undefined) throw new Error('a statement without a row');
  return row;
}

/** Like `inTransaction`, for work on hundreds of thousands of rows. Its statements have no time limit. */
export async function inBulkTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await poolOf(database).connect();
  try {
    // In transaction pooling mode, a connection may lack the settings of `openDatabase`.
    await client.query(`
      begin;
      set local statement_timeout = 0;
      set local client_connection_check_interval = ${CLIENT_CHECK_MS}`);
    const result = await work(clientTransaction(client));
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(isUnavailable(error)),
      (broken: Error) => client.release(broken),
    );
    throw error;
  }
}

/**
 * Runs reads on one snapshot (repeatable read). Waits up to `silenceMs` milliseconds for a connection or a response before the
 * work fails. Default: the database's timeouts.
 */
export async function inOneView<T>(
  database: Database,
  work: (view: Transaction) => Promise<T>,
  { silenceMs }: { silenceMs?: number } = {},
): Promise<T> {
  const client = await (silenceMs === undefined
    ? poolOf(database).connect()
    : connectWithin(poolOf(database), silenceMs));
  const stopWatching = silenceMs === undefined ? undefined : cutWhenSilent(client, silenceMs);
  const release = (isBroken: boolean) => {
    stopWatching?.();
    client.release(isBroken);
  };
  try {
    await client.query('begin isolation level repeatable read read only');
    const result = await work(clientTransaction(client));
    // The result does not wait for the commit, as there are no writes that could fail.
    client.query('commit').then(
      () => release(false),
      () => release(true),
    );
    return result;
  } catch (error) {
    release(true);
    throw error;
  }
}

/** Throws if no connection is available in time. One that arrives later goes back to the pool. */
async function connectWithin(pool: pg.Pool, limitMs: number): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  const connected = await within(limitMs, connecting, undefined);
  if (connected) return connected;
  connecting.then(
    (client) => client.release(),
    () => undefined, // The code below reports that there is no connection.
  );
  throw new Error(`timeout: no connection to the database in ${limitMs} ms`);
}

/** Closes the connection once it was silent for this long. The returned function stops watching. */
function cutWhenSilent(client: pg.PoolClient, limitMs: number): () => void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return () => undefined;
  const cut = () => {
    // Unread data shows that this process was busy, not that the database did not respond.
    if (stream.readableLength > 0) return;
    stream.destroy(new Error(`timeout: the database was silent for ${limitMs} ms`));
  };
  stream.setTimeout(limitMs, cut);
  return () => {
    stream.setTimeout(0);
    stream.off('timeout', cut);
  };
}

/** Runs part of a transaction, and rolls its changes back once it is done. */
export async function inDiscardedPart<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await transaction.execute(sql`savepoint discarded`);
  const result = await work();
  await transaction.execute(sql`rollback to savepoint discarded`);
  return result;
}

function prismaTransaction(prisma: Prisma.TransactionClient, client: pg.PoolClient): PrismaTransaction {
  return {
    prisma,
    client,
    query: (statement) => prisma.$queryRaw(statement),
    execute: (statement) => prisma.$executeRaw(statement),
  };
}

function clientTransaction(client: pg.PoolClient): Transaction {
  const run = ({ text, values }: Sql) => client.query({ text, values });
  return {
    client,
    query: async (statement) => (await run(statement)).rows,
    execute: async (statement) => (await run(statement)).rowCount ?? 0,
  };
}
