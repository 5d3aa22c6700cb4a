import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

interface MetConnection {
  /** The address to which the host's name resolved. */
  address: string | undefined;
  /** Such as `TLSv1.3`; undefined over plain HTTP. */
  protocol: string | undefined;
}

export type ConnectionObserver = ReturnType<typeof observeConnections>;

interface Connected {
  connectParams: { host: string };
  socket: Socket;
}

const CONNECTED = 'undici:client:connected';

/** Records every connection that any client opens. */
export function observeConnections() {
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
    /** The newest connection to a host, with its port unless that is the default port. */
    to: (host: string) => met.get(host),
    stop: () => unsubscribe(CONNECTED, note),
  };
}
