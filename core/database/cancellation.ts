import type pg from 'pg';
import { requestCancel } from './cancel-request.js';
import { type Database, poolOf } from './database.js';

const CANCEL_EVERY_MS = 100;
const CLOSE_LIMIT_MS = 2_000;

/** Cancels running statements of a database when the program is asked to stop. */
export interface Cancellation {
  /** Stops watching for the signal. */
  release(): void;
  /** To be called after the database was closed. Settles when the server has ended its sessions, or after two seconds. */
  closed(): Promise<void>;
}

/**
 * Once `stopping` is aborted, cancels the statements that the database's connections are running, again and again
 * until released, and with them the transactions that they belong to. Call it before the first query.
 */
export function cancelOnAbort(database: Database, stopping: AbortSignal): Cancellation {
  const pool = poolOf(database);
  const open = new Set<pg.ClientBase>();
  let settle = () => {};
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => {
    open.delete(client);
    if (open.size === 0) settle();
  });
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    for (const client of open) requestCancel(client);
  };
  const begin = () => {
    cancel();
    timer = setInterval(cancel, CANCEL_EVERY_MS);
  };
  stopping.addEventListener('abort', begin, { once: true });
  return {
    release() {
      stopping.removeEventListener('abort', begin);
      clearInterval(timer);
    },
    closed: () =>
      new Promise((resolve) => {
        settle = resolve;
        if (open.size === 0) resolve();
        else setTimeout(resolve, CLOSE_LIMIT_MS).unref();
      }),
  };
}
