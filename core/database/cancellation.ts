import type pg from 'pg';
import { requestCancel } from './cancel-request.js';
import { type Database, poolOf } from './database.js';

const CANCEL_EVERY_MS = 100;
const CLOSE_LIMIT_MS = 2_000;

/** Cancels the running statements of a database when the program is asked to stop. */
export interface Cancellation {
  release(): void;
  /** Call it after closing the database. Settles when the server has ended its sessions, or after two seconds. */
  closed(): Promise<void>;
}

/**
 * When `stopping` aborts, cancels the running statements of all the database's connections, and so their transactions.
 * Repeats this until released. Call it before the first query.
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
