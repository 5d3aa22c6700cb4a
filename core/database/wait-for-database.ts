import type { Logger } from 'pino';
import { keepTrying } from '../concurrency/keep-trying.js';
import { reasonOf } from '../process/connection-errors.js';
import { StartError } from '../process/start-failure.js';
import { type Database, poolOf } from './database.js';
import { isUnavailable, tlsFailure } from './errors.js';
import { MigrationsMissing } from './schema-compatibility.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A database that could not be reached by then may be down for long. */
const UNREACHABLE_MS = 2_000;
/** Longer than migrations take, unless another program keeps the database from being prepared. */
const PREPARING_MS = 10_000;

interface WaitOptions {
  signal: AbortSignal;
  /** Called after two seconds if the database is unreachable, and after ten if it could not be prepared. */
  onWaiting?(): void;
  /** Runs first on the database. Runs again if the connection is lost meanwhile. */
  prepare?(): Promise<void>;
}

/** Waits while the database or its host is unreachable. Throws on abort, and if waiting can't help. */
export async function waitForDatabase(
  database: Database,
  log: Logger,
  { signal, onWaiting, prepare }: WaitOptions,
): Promise<void> {
  let logged: string | undefined;
  const work = async () => {
    await tryDatabase(database);
    await prepare?.();
  };
  const unreachable = setTimeout(() => logged !== undefined && onWaiting?.(), UNREACHABLE_MS);
  const unprepared = setTimeout(() => onWaiting?.(), PREPARING_MS);
  await keepTrying(work, {
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
    signal,
    // Another program may migrate the database while this one waits.
    mayRecover: (error) =>
      error instanceof MigrationsMissing || (isUnavailable(error) && !(error instanceof StartError)),
    onFailure(error) {
      const reason = reasonOf(error);
      if (reason === logged) return;
      logged = reason;
      log.warn({ reason }, 'waiting for the database');
    },
  }).finally(() => {
    clearTimeout(unreachable);
    clearTimeout(unprepared);
  });
}

/** Throws if there is no connection now; a StartError if TLS fails, which no further attempt would change. */
export async function tryDatabase(database: Database): Promise<void> {
  try {
    await poolOf(database).query('select 1');
  } catch (error) {
    const failure = tlsFailure(error);
    throw failure === undefined ? error : new StartError(`TLS to the database fails: ${failure}`);
  }
}
