import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import { lowerSessionPriority } from '../process/priority.js';
import { connectionOptions } from './connection-options.js';
import { asDatabaseError } from './errors.js';
import { PrismaClient } from './generated/prisma/client.js';

const connections: unique symbol = Symbol('connections');

/** A connection to PostgreSQL. Other folders only open, close and pass it on: this folder runs the statements. */
export interface Database {
  readonly [connections]: { prisma: PrismaClient; pool: pg.Pool; connecting: Connecting };
  /** Rolls back running Prisma transactions, and waits for all other work. */
  close(): Promise<void>;
}

type Connecting = AsyncLocalStorage<{ client?: pg.PoolClient }>;

interface DatabaseOptions {
  log?: Logger;
  connections?: number;
  /** Statement timeout. Long transactions lift it for themselves. */
  statementTimeoutMs?: number;
  /** Timeout for getting a connection. Longer in a program that blocks its event loop for seconds. */
  connectTimeoutMs?: number;
  lifetimeSeconds?: number;
  /** Lowers the priority of the processes of its connections. Only for a server on this machine. */
  lowersPriority?: boolean;
}

/** Pooled connections of a program. A worker uses one for each running ingest. An API serves rates from memory. */
export const POOL_CONNECTIONS = 8;
/** Those of them that the thread of an API uses, one for each step that it runs at a time. */
export const THREAD_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_MS = 30_000;
/** After a failover, this closes connections to a server that has become read-only. */
const LIFETIME_SECONDS = 60;
const MINUTE_MS = 60_000;
/** How often PostgreSQL checks during a statement that this program is still connected. If it is not, the statement ends. */
export const CLIENT_CHECK_MS = 1_000;
/** A transaction that runs for hours is a fault. Each of its statements has a much shorter limit. */
const TRANSACTION_TIMEOUT_MS = 60 * MINUTE_MS;

/** Dates stay text, because a JavaScript Date would be an instant in the local time zone. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);

/**
 * Opens a `postgres://` URL. Throws a ConfigurationError if its TLS parameters are invalid. Connects at the first query, which
 * throws connection errors. Replaces a broken connection.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: options.connections ?? POOL_CONNECTIONS,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: options.lifetimeSeconds ?? LIFETIME_SECONDS,
    keepAlive: true,
    application_name: 'almanac',
    types,
    // PgBouncer refuses these as startup parameters. In transaction pooling mode they apply to all of its clients, so every
    // program sets the same values.
    onConnect: (client) => client.query(limits),
  });
  // The driver reads dates of this style only, and a database or a role may have another.
  const limits = `
    set datestyle = 'ISO, YMD';
    set statement_timeout = ${options.statementTimeoutMs ?? 5 * MINUTE_MS};
    set idle_in_transaction_session_timeout = ${5 * MINUTE_MS};
    set client_connection_check_interval = ${CLIENT_CHECK_MS}`;
  const onError = (error: Error) => options.log?.warn({ reason: error.message }, 'database connection lost');
  // Without a listener, an error of a broken connection would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  // The types lack the ID of the process that serves a connection, in a session of its own.
  const lower = (client: pg.PoolClient & { processID?: number }) =>
    void lowerSessionPriority(client.processID);
  if (options.lowersPriority) pool.on('connect', lower);
  const connecting = noteConnections(pool);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    errorFormat: 'minimal',
    transactionOptions: {
      // Longer than the timeout of the pool, whose error says more.
      maxWait: connectTimeoutMs + 1_000,
      timeout: TRANSACTION_TIMEOUT_MS,
    },
  });
  return {
    [connections]: { prisma, pool, connecting },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** Lets `runWithConnection` find out which connection Prisma uses for a transaction, which Prisma does not reveal. */
function noteConnections(pool: pg.Pool): Connecting {
  const connecting: Connecting = new AsyncLocalStorage();
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient> | undefined;
  pool.connect = ((callback?: unknown) => {
    const noted = connecting.getStore();
    return connect(callback)?.then((client) => {
      if (noted) noted.client ??= client;
      return client;
    });
  }) as typeof pool.connect;
  return connecting;
}

/** For this folder: runs work, and gives it a function that returns the connection that it takes from the pool. */
export function runWithConnection<T>(
  database: Database,
  work: (connection: () => pg.PoolClient) => Promise<T>,
): Promise<T> {
  const noted: { client?: pg.PoolClient } = {};
  const connection = () => {
    if (!noted.client) throw new Error('no connection was taken from the pool yet');
    return noted.client;
  };
  return database[connections].connecting.run(noted, () => work(connection));
}

/** For this folder: runs work on the typed client, without a transaction. Throws a DatabaseError. */
export async function withPrisma<T>(
  database: Database,
  work: (prisma: PrismaClient) => Promise<T>,
): Promise<T> {
  try {
    return await work(prismaOf(database));
  } catch (error) {
    throw asDatabaseError(error);
  }
}

export function prismaOf(database: Database): PrismaClient {
  return database[connections].prisma;
}

/** For the modules of this folder: plain connections, for COPY, dedicated sessions and queries with a deadline. */
export function poolOf(database: Database): pg.Pool {
  return database[connections].pool;
}
