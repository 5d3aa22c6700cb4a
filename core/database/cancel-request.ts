import { connect } from 'node:net';
import type pg from 'pg';

// https://www.postgresql.org/docs/current/protocol-message-formats.html, "CancelRequest".
const LENGTH = 16;
const CANCEL_REQUEST = 80_877_102;
const LIMIT_MS = 2_000;

/**
 * Asks the server to cancel the statement that a connection is running, if any, by the protocol's own request: through
 * PgBouncer, `pg_cancel_backend` would cancel another one's, as the process IDs that clients see are PgBouncer's.
 * Delivery is not confirmed: a caller that must be sure asks again.
 */
export function requestCancel(client: pg.ClientBase): void {
  if (!isCancellable(client)) return;
  const { host, port, processID, secretKey } = client;
  const request = Buffer.alloc(LENGTH);
  request.writeInt32BE(LENGTH, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  // A folder is that of a socket. The server, which reads such a request before anything else, wants no TLS for it.
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(LIMIT_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy()); // As if it had not arrived.
  // The server closes it. PgBouncer drops the request of a client that closes it before.
  socket.write(request);
  socket.resume();
}

/** What the driver knows of a connection; its types omit what the server sent. */
interface Cancellable {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}

function isCancellable(client: object): client is Cancellable {
  return 'secretKey' in client && typeof client.secretKey === 'number';
}
