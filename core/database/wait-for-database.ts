import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import type { Logger } from 'pino';
import { reasonOf } from '../process/connection-errors.js';
import { type Database, poolOf } from './database.js';

const TIMEOUT_MS = 5_000;
const RETRY_MS = 250;

/** Errors while no server listens yet, or while it is starting or stopping (SQLSTATE 57P..). */
const TRANSIENT = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03']);

/**
 * Waits until the database accepts queries, as it may be starting at the same time. Throws after some five seconds, and
 * at once if waiting can't help, such as for a wrong password or an unknown host.
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

function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isTransient);
  return error instanceof Error && 'code' in error && TRANSIENT.has(String(error.code));
}
