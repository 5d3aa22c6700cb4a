import type { Logger } from 'pino';
import { keepTrying } from '../concurrency/keep-trying.js';
import { MigrationsMissing } from '../database/schema-compatibility.js';
import { reasonOf } from '../process/connection-errors.js';
import { StartError } from '../process/start-error.js';
import { openQueues, type QueueStore, type Queues } from './queues.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Waits while the server is unreachable or refuses. Throws on abort, and a StartError if waiting can't help. */
export function waitForQueues(store: QueueStore, log: Logger, signal: AbortSignal): Promise<Queues> {
  let logged: string | undefined;
  return keepTrying(() => openQueues(store, { log }), {
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
    signal,
    mayRecover: (error) => error instanceof MigrationsMissing || !(error instanceof StartError),
    onFailure(error) {
      const reason = reasonOf(error);
      if (reason === logged) return;
      logged = reason;
      log.warn({ reason }, 'waiting for the queues');
    },
  });
}
