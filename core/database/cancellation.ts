import type { Logger } from 'pino';
import { reasonOf } from '../process/connection-errors.js';
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
export function cancelOnAbort(database: Database, stopping: AbortSignal, log: Logger): Cancellation {
  const pool = poolOf(database);
  const ids = new Set<number>();
  let settle = () => {};
  pool.on('connect', (client) => ids.add(processIdOf(client)));
  pool.on('remove', (client) => {
    ids.delete(processIdOf(client));
    if (ids.size === 0) settle();
  });
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    pool
      .query('select pg_cancel_backend(pid) from unnest($1::int[]) as pid where pid <> pg_backend_pid()', [
        [...ids],
      ])
      .catch((error: unknown) =>
        log.debug({ reason: reasonOf(error) }, 'the running statements could not be cancelled'),
      );
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
        if (ids.size === 0) resolve();
        else setTimeout(resolve, CLOSE_LIMIT_MS).unref();
      }),
  };
}

/** The id of the server process of a connection. */
function processIdOf(client: object): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0;
}
