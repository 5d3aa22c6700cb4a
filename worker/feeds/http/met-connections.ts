import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A connection that stood. */
interface MetConnection {
  /** The address that the host's name led to. */
  address: string | undefined;
  /** Such as `TLSv1.3`; undefined over plain HTTP. */
  protocol: string | undefined;
}

/** The connections of this process to hosts since the watch began. */
export interface ConnectionWatch {
  /** The newest one to a host, with its port where it is not the usual one. */
  to(host: string): MetConnection | undefined;
  stop(): void;
}

/** What undici tells of a connection. */
interface Connected {
  connectParams: { host: string };
  socket: Socket;
}

const CONNECTED = 'undici:client:connected';

/** Notes every connection that is opened, by which client it may be. */
export function watchConnections(): ConnectionWatch {
  const met = new Map<string, MetConnection>();
  const note = (message: unknown) => {
    const { connectParams, socket } = message as Connected;
    met.set(connectParams.host, {
      address: socket.remoteAddress,
      protocol: socket instanceof TLSSocket ? (socket.getProtocol() ?? undefined) : undefined,
    });
  };
  subscribe(CONNECTED, note);
  return {
    to: (host) => met.get(host),
    stop: () => unsubscribe(CONNECTED, note),
  };
}
