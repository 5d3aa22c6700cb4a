import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../core/process/config.js';
import { connectionKey, trustOf } from './client-address.js';
import { HttpError } from './errors.js';
import { createQuota } from './quota.js';
import { refuseConnection } from './writer.js';

/** How many connections there may be, and which proxies have those of many clients. */
export type ConnectionLimits = Pick<Config, 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_CLIENT' | 'TRUST_PROXY'>;

/** How long a connection that is refused has to receive the response. */
const REFUSAL_LINGER_MS = 1_000;

/** Responds 503 on connections above the limits and closes them. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const open = createQuota(limits.MAX_CONNECTIONS, limits.MAX_CONNECTIONS_PER_CLIENT);
  const trust = trustOf(limits.TRUST_PROXY);
  let proxied = 0;
  // Before the server's own listener, so that it does not read requests from a connection that is refused.
  const others = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Each connection of a proxy counts as a client's own.
    const leave = open.enter(connectionKey(socket, trust) ?? `proxied ${proxied++}`);
    if (!leave) {
      refuse(socket);
      return;
    }
    socket.once('close', leave);
    for (const listener of others) listener.call(server, socket);
  });
}

function refuse(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  refuseConnection(socket, new HttpError(503, 'too many connections', { headers: { 'retry-after': '2' } }));
  // What the client has sent must be read: else the system resets the connection, and the response may be lost.
  socket.resume();
  setTimeout(() => socket.destroy(), REFUSAL_LINGER_MS).unref();
}
