import { connect } from 'node:net';
import type pg from 'pg';
import { type Database, poolOf } from './database.js';

const CANCEL_EVERY_MS = 100;
const CANCEL_LIMIT_MS = 2_000;
const CLOSE_LIMIT_MS = 2_000;

/** Once `stopping` aborts, cancels all running statements, repeatedly until released. Call before the first query. */
export function cancelOnAbort(database: Database, stopping: AbortSignal) {
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
    /** Call after closing the database. Settles when the server has ended its sessions, or after two seconds. */
    closed: () =>
      new Promise<void>((resolve) => {
        settle = resolve;
        if (open.size === 0) resolve();
        else setTimeout(resolve, CLOSE_LIMIT_MS).unref();
      }),
  };
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html, "CancelRequest".
const LENGTH = 16;
const CANCEL_REQUEST = 80_877_102;

/**
 * Sends a CancelRequest, whose delivery is not confirmed: a caller that must be sure repeats it. Through
 * PgBouncer, `pg_cancel_backend` would cancel the statement of another connection, as clients see PgBouncer's
 * process IDs.
 */
export function requestCancel(client: pg.ClientBase): void {
  if (!isCancellable(client)) return;
  const { host, port, processID, secretKey } = client;
  const request = Buffer.alloc(LENGTH);
  request.writeInt32BE(LENGTH, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  // A host that is a folder has a Unix socket. The server reads this request before anything else, and needs no TLS for it.
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(CANCEL_LIMIT_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy()); // An error counts as a lost request.
  // The server closes the connection. PgBouncer drops the request if the client closes first.
  socket.write(request);
  socket.resume();
}

/** The driver's fields for cancelling a connection, which its types omit. */
interface Cancellable {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}

function isCancellable(client: object): client is Cancellable {
  return 'secretKey' in client && typeof client.secretKey === 'number';
}
