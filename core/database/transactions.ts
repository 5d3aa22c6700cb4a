import { Socket } from 'node:net';
import type pg from 'pg';
import { within } from '../concurrency/within.js';
import { type Database, poolOf, prismaOf, runWithConnection, withPrisma } from './database.js';
import { asDatabaseError, isUnavailable } from './errors.js';
import type { Prisma } from './generated/prisma/client.js';
import type { Sql } from './sql.js';

/**
 * Statements that take effect together or not at all. Only the modules of this folder run statements; other code
 * passes the transaction on to them. Both kinds offer the same interface.
 */
export interface Transaction {
  /** Returns the rows of a statement, which must cast dates and 64-bit integers to text: both kinds read these alike. */
  query<Row>(statement: Sql): Promise<Row[]>;
  /** How many rows a statement affected. */
  execute(statement: Sql): Promise<number>;
  /** Its connection, for COPY, which Prisma has no call for. */
  readonly client: pg.PoolClient;
}

/** A transaction of Prisma's: the ordinary kind, with the typed client. */
export interface PrismaTransaction extends Transaction {
  readonly prisma: Prisma.TransactionClient;
}

/**
 * Runs the work in one transaction: committed when it returns, rolled back when it throws. Throws the error of the
 * work; one of the database is a DatabaseError.
 */
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

/** The rows of a query within a transaction, or by itself. */
export async function rowsOf<Row>(from: Database | Transaction, query: Sql): Promise<Row[]> {
  return 'query' in from ? from.query(query) : withPrisma(from, (prisma) => prisma.$queryRaw<Row[]>(query));
}

/** The same for work on hundreds of thousands of rows. Its statements have no time limit. */
export async function inBulkTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await poolOf(database).connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
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

interface ViewOptions {
  /**
   * How long the database may be silent, in milliseconds, before its connection is cut and the work fails; also how
   * long to wait for a connection. Without it the limits of the database apply, which are much longer.
   */
  silenceMs?: number;
  /** Whether the work begins with a query that has no parameters: it then shares a round trip with `begin`. */
  beginsWithQuery?: boolean;
}

const BEGIN_VIEW = 'begin isolation level repeatable read read only';

/** Runs reads on one snapshot of the database (repeatable read). */
export async function inOneView<T>(
  database: Database,
  work: (view: Transaction) => Promise<T>,
  { silenceMs, beginsWithQuery = false }: ViewOptions = {},
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
    if (!beginsWithQuery) await client.query(BEGIN_VIEW);
    const result = await work(beginsWithQuery ? beginningView(client) : clientTransaction(client));
    // The result does not wait for this: there is nothing that could fail to be stored.
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

/** A view that its first query begins. */
function beginningView(client: pg.PoolClient): Transaction {
  const view = clientTransaction(client);
  let hasBegun = false;
  return {
    ...view,
    async query<Row>(statement: Sql): Promise<Row[]> {
      if (hasBegun) return view.query(statement);
      hasBegun = true;
      if (statement.values.length > 0) throw new Error('the query that begins a view has parameters');
      // Several statements in one query have a result each.
      const results: unknown = await client.query(`${BEGIN_VIEW}; ${statement.text}`);
      return (results as pg.QueryResult[])[1]?.rows as Row[];
    },
  };
}

/** A connection, or an error if there is none in time; one that comes later goes back to the pool. */
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

/** Cuts the connection once nothing has come or gone on it for so long. The returned function ends the watch. */
function cutWhenSilent(client: pg.PoolClient, limitMs: number): () => void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return () => undefined;
  const cut = () => {
    // What has come and is not read yet shows that this process was busy, not that the database was silent.
    if (stream.readableLength > 0) return;
    stream.destroy(new Error(`timeout: the database was silent for ${limitMs} ms`));
  };
  stream.setTimeout(limitMs, cut);
  return () => {
    stream.setTimeout(0);
    stream.off('timeout', cut);
  };
}

/**
 * Runs a part of a transaction under a savepoint: if it fails, only its own changes are rolled back and its error is
 * thrown; the transaction can continue.
 */
export async function inSavepoint<T>(
  transaction: PrismaTransaction,
  work: (part: PrismaTransaction) => Promise<T>,
): Promise<T> {
  // Within a transaction, Prisma makes a savepoint.
  return transaction.prisma.$transaction((part) => work(prismaTransaction(part, transaction.client)));
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
