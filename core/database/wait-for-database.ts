import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { reasonOf } from '../process/connection-errors.js';
import { type Database, poolOf } from './database.js';

const PATIENCE_MS = 5_000;
const PAUSE_MS = 250;

/** Nobody listens at the address, or a server that is just starting or stopping (SQLSTATE 57P..). */
const PASSING = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03']);

/**
 * Waits until the database answers: it may be starting at the same time as we do. Throws after five seconds, and
 * at once where waiting won't help, such as a wrong password or a host that doesn't exist.
 */
export async function reachDatabase(database: Database, log: Logger): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      await poolOf(database).query('select 1');
      return;
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      if (attempt === 1) log.warn({ reason: reasonOf(error) }, 'waiting for the database');
      await sleep(PAUSE_MS);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isPassing);
  return error instanceof Error && 'code' in error && PASSING.has(String(error.code));
}
