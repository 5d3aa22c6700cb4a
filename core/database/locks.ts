import pg from 'pg';
import { areBlendsOutdated, BlendsOutdated } from './blend-method.js';
import { type Database, poolOf } from './database.js';
import { chooseRecordingInstant, DATA_LOCK } from './recording-instant.js';
import { sql } from './sql.js';
import type { Transaction } from './transactions.js';

/**
 * All advisory locks that are taken in the database. PostgreSQL identifies them by number only, so all of them are
 * listed here: two with the same number would be one lock.
 */
export const LOCKS = {
  /** Held while migrations run. The number is that of Prisma's own `migrate`: one of the two waits for the other. */
  migrations: 72_707_369,
  /** Held while the phrases that ship with the project are stored. */
  refusalPhrases: 72_707_370,
  /** Held by every transaction that changes rates or blends. */
  data: DATA_LOCK,
  /** Held while a backup is made. */
  backup: 72_707_371,
  /** Held while a CDN is told what changed. */
  purge: 72_707_376,
  /** Held while a publication is written. */
  publication: 72_707_377,
} as const;

/** One of them is held while an API reads all of history, so that of many that start together a few do so at a time. */
const READING_LOCKS = [72_707_372, 72_707_373, 72_707_374, 72_707_375];
/** After that another one is tried: who holds it may be stopped. */
const READING_LIMIT_MS = 60_000;

/**
 * Locks with two numbers, which are distinct from those with one: a kind, and the hash of a key. Keys with the same
 * hash would only wait for each other.
 */
export const KEYED_LOCKS = {
  /** Held while a provider is ingested. */
  provider: 72_707_370,
} as const;

/**
 * Makes this transaction the only one that changes rates or blends, until it ends, and chooses the instant at which it
 * records them (see `recordingInstant`). It is taken before anything is read: a blend must see the rows of all earlier
 * writers, and data versions must be committed in order. Throws a BlendsOutdated or a ProgramOutdated where the blends
 * that are stored are of another method, or of other sources: those of two must not stand beside each other.
 */
export async function lockData(transaction: Transaction): Promise<void> {
  if (await lockDataForRebuild(transaction)) throw new BlendsOutdated();
}

/** The same for who blends all history again: returns whether the blends are outdated, as `areBlendsOutdated` does. */
export async function lockDataForRebuild(
  transaction: Transaction,
  options?: { takesOver?: boolean },
): Promise<boolean> {
  await lockUntilEnd(transaction, LOCKS.data);
  await chooseRecordingInstant(transaction);
  return areBlendsOutdated(transaction, options);
}

/** Waits for the lock, as long as others may need, and holds it until the transaction ends. */
export async function lockUntilEnd(transaction: Transaction, lock: number): Promise<void> {
  const [before] = await transaction.query<{ limit: string }>(
    sql`select current_setting('statement_timeout') as limit, set_config('statement_timeout', '0', true)`,
  );
  await transaction.execute(sql`select pg_advisory_xact_lock(${lock}::bigint)`);
  await transaction.execute(sql`select set_config('statement_timeout', ${before?.limit ?? '0'}, true)`);
}

/** Runs work that reads all of history when it is its turn among all APIs. Throws where that takes longer than a minute. */
export function inTurn<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const lock = READING_LOCKS[Math.floor(Math.random() * READING_LOCKS.length)] ?? 0;
  return whileLocked(database, lock, work, READING_LIMIT_MS);
}

/**
 * Runs work while this process alone has the lock, for which it waits, in milliseconds at most `limitMs` (0: for ever). The
 * work uses other connections.
 */
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
    // Closing the connection releases the lock in any case.
    client.release(true);
  }
}

/** One ingest of a provider at a time, over all workers and machines. */
export interface ProviderLock {
  /** Throws if the lock's connection has broken: another worker may have the lock by now. */
  check(): void;
  release(): Promise<void>;
}

/** Another worker is ingesting this provider. */
export class ProviderBusy extends Error {
  override readonly name = 'ProviderBusy';

  constructor(provider: string) {
    super(`${provider} is being ingested by another job`);
  }
}

/**
 * Begins a transaction that is held open for as long as a lock: a lock of the session would belong to nobody where
 * PgBouncer lends its connections for a transaction each. Between statements it holds no snapshot, so that vacuuming goes on.
 * Without keep-alives, a machine that disappears would hold it for the hours that TCP waits.
 */
const HOLD = `
  begin;
  set local idle_in_transaction_session_timeout = 0;
  set local statement_timeout = 0;
  set local tcp_keepalives_idle = 30;
  set local tcp_keepalives_interval = 10;
  set local tcp_keepalives_count = 3`;

/**
 * Takes the provider's lock on a connection of its own, so that PostgreSQL releases it when the process dies. Throws
 * ProviderBusy if another session holds it.
 */
export async function lockProvider(database: Database, provider: string): Promise<ProviderLock> {
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
      [KEYED_LOCKS.provider, provider],
    );
    if (rows[0]?.taken !== true) throw new ProviderBusy(provider);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    check() {
      if (broken) throw new Error(`lost the lock on ${provider}`, { cause: broken });
    },
    release: () => client.end(),
  };
}
