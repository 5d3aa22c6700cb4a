import pg from 'pg';
import { areBlendsOutdated, BlendsOutdated } from './blend-method.js';
import { type Database, poolOf } from './database.js';
import { chooseRecordingInstant, DATA_LOCK } from './recording-instant.js';
import { sql } from './sql.js';
import type { Transaction } from './transactions.js';

/** PostgreSQL identifies an advisory lock only by its number, so all locks of the service are listed here. */
export const LOCKS = {
  /** Held while migrations run. Uses the number of Prisma's own `migrate`, so that the two wait for each other. */
  migrations: 72_707_369,
  /** Held by every transaction that changes rates or blends. */
  data: DATA_LOCK,
  backup: 72_707_371,
  publication: 72_707_377,
  /** With the hash of a provider's key as a second number. Providers with the same hash wait for each other. */
  provider: 72_707_370,
} as const;

/** An API holds one of these while it reads all of history, so that only a few of many starting APIs do so at a time. */
const READING_LOCKS = [72_707_372, 72_707_373, 72_707_374, 72_707_375];
/** Limits the wait for one of these locks, as its holder may be suspended. */
const READING_LIMIT_MS = 60_000;

/**
 * Makes this transaction the only one that changes rates or blends until it ends, and chooses its recording
 * instant. Take the lock before reading anything: a blend must see the rows of all earlier writers, and data
 * versions must be committed in order. Throws a BlendsOutdated or a ProgramOutdated, as blends of two methods
 * must not be mixed.
 */
export async function lockData(transaction: Transaction): Promise<void> {
  if (await lockDataForRebuild(transaction)) throw new BlendsOutdated();
}

/** Like `lockData`, but returns false at once while another transaction holds the lock. */
export async function tryLockData(transaction: Transaction): Promise<boolean> {
  const lock = sql`select pg_try_advisory_xact_lock(${LOCKS.data}::bigint) as taken`;
  const [tried] = await transaction.query<{ taken: boolean }>(lock);
  if (tried?.taken === true) await lockData(transaction);
  return tried?.taken === true;
}

/** Like `lockData`, but returns whether the blends are outdated, for a caller that renews all of them. */
export async function lockDataForRebuild(
  transaction: Transaction,
  options?: { takesOver?: boolean },
): Promise<boolean> {
  await lockUntilEnd(transaction, LOCKS.data);
  await chooseRecordingInstant(transaction);
  return areBlendsOutdated(transaction, options);
}

/** Waits for the lock without a time limit, and holds it until the transaction ends. */
export async function lockUntilEnd(transaction: Transaction, lock: number): Promise<void> {
  const [before] = await transaction.query<{ limit: string }>(
    sql`select current_setting('statement_timeout') as limit, set_config('statement_timeout', '0', true)`,
  );
  await transaction.execute(sql`select pg_advisory_xact_lock(${lock}::bigint)`);
  await transaction.execute(sql`select set_config('statement_timeout', ${before?.limit ?? '0'}, true)`);
}

/** Runs work that reads all of history, in turn with other APIs. Throws if the turn takes longer than a minute to come. */
export function inTurn<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const lock = READING_LOCKS[Math.floor(Math.random() * READING_LOCKS.length)] ?? 0;
  return whileLocked(database, lock, work, READING_LIMIT_MS);
}

/** Runs work, on other connections, under a lock. Waits up to `limitMs` milliseconds for it (0: no limit). */
export async function whileLocked<T>(
  database: Database,
  lock: number,
  work: () => Promise<T>,
  limitMs = 0,
): Promise<T> {
  const client = await poolOf(database).connect();
  try {
    await client.query(`${HOLD}; set local lock_timeout = ${limitMs}`);
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    return await work();
  } finally {
    // Closing the connection always releases the lock.
    client.release(true);
  }
}

export class ProviderBusy extends Error {
  override readonly name = 'ProviderBusy';

  constructor(provider: string) {
    super(`${provider} is being ingested by another job`);
  }
}

/**
 * Begins a transaction that stays open as long as a lock. A session lock would have no owner under PgBouncer's transaction
 * pooling. Between statements the transaction holds no snapshot, so vacuuming continues. Without keep-alives, a machine that
 * disappears would hold the lock for hours, until TCP times out.
 */
const HOLD = `
  begin;
  set local idle_in_transaction_session_timeout = 0;
  set local statement_timeout = 0;
  set local tcp_keepalives_idle = 30;
  set local tcp_keepalives_interval = 10;
  set local tcp_keepalives_count = 3`;

/** Takes the provider's lock on its own connection, which ends with the process. Throws ProviderBusy if it is held. */
export async function lockProvider(database: Database, provider: string) {
  const client = new pg.Client(poolOf(database).options);
  let broken: Error | undefined;
  client.on('error', (error) => {
    broken = error;
  });
  await client.connect();
  try {
    await client.query(HOLD);
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1, hashtext($2)) as taken',
      [LOCKS.provider, provider],
    );
    if (rows[0]?.taken !== true) throw new ProviderBusy(provider);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    /** Throws if the lock's connection has broken, as another worker may hold the lock by now. */
    check() {
      if (broken) throw new Error(`lost the lock on ${provider}`, { cause: broken });
    },
    release: () => client.end(),
  };
}
