import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import type { Logger } from 'pino';
import { keepTrying } from '../concurrency/keep-trying.js';
import { reasonOf } from '../process/connection-errors.js';
import { type Database, poolOf } from './database.js';
import { isUnavailable } from './errors.js';
import { MigrationsMissing } from './schema-compatibility.js';

const TIMEOUT_MS = 5_000;
const RETRY_MS = 250;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** Longer than a program on a slow machine needs for a new database that can be reached. */
const WAITING_MS = 2_000;

/** Errors while no server listens yet, or while it is starting or stopping (SQLSTATE 57P..). */
const TRANSIENT = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03']);

/**
 * Waits until the database accepts queries, as it may be starting at the same time. Throws after some five seconds, and
 * at once if waiting can't help, such as for a wrong password or an unknown host. For a command, which somebody waits for.
 */
export async function reachDatabase(database: Database, log: Logger): Promise<void> {
  const attempts = retry(handleWhen(isTransient), {
    maxAttempts: TIMEOUT_MS / RETRY_MS,
    backoff: new ConstantBackoff(RETRY_MS),
  });
  await attempts.execute(async ({ attempt }) => {
    try {
      await poolOf(database).query('select 1');
    } catch (error) {
      if (attempt === 0 && isTransient(error))
        log.warn({ reason: reasonOf(error) }, 'waiting for the database');
      throw error;
    }
  });
}

interface WaitOptions {
  signal: AbortSignal;
  /** Called once it has taken two seconds: the database can't be reached, or others keep it from being prepared. */
  onWaiting?(): void;
  /** What is to be done there first. It is done again where the database is lost meanwhile. */
  prepare?(): Promise<void>;
}

/**
 * Waits until the database accepts queries, however long it can't be reached: its host may be unknown while its
 * container is down. The first failure is logged, and each one with another reason. Throws when the signal aborts, and
 * where waiting can't help, such as for a wrong password. For a program that is there to stay.
 */
export async function waitForDatabase(
  database: Database,
  log: Logger,
  { signal, onWaiting, prepare }: WaitOptions,
): Promise<void> {
  let logged: string | undefined;
  const work = async () => {
    await poolOf(database).query('select 1');
    await prepare?.();
  };
  const waiting = setTimeout(() => onWaiting?.(), WAITING_MS);
  await keepTrying(work, {
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
    signal,
    // Who may migrate does so while a program waits.
    mayRecover: (error) => isUnavailable(error) || error instanceof MigrationsMissing,
    onFailure(error) {
      const reason = reasonOf(error);
      if (reason === logged) return;
      logged = reason;
      log.warn({ reason }, 'waiting for the database');
    },
  }).finally(() => clearTimeout(waiting));
}

function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isTransient);
  return error instanceof Error && 'code' in error && TRANSIENT.has(String(error.code));
}
