import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server. It can stall as a network does: connections stay open and no bytes pass. */
export interface TcpProxy {
  port: number;
  stall(): void;
  resume(): void;
  /** Closes the port and every connection. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Forwards connections to a port of this machine. While nothing listens there, they are reset. */
export async function openProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let stalled = false;

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined); // 'close' follows, and closes the other side.
    socket.on('close', () => sockets.delete(socket));
    if (stalled) socket.pause();
  }

  function pass(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (!to.write(bytes)) from.pause();
    });
    to.on('drain', () => {
      if (!stalled) from.resume();
    });
    from.on('close', () => to.destroySoon());
  }

  const server = createServer((client) => {
    const upstream = connect(target, HOST);
    // Registered before `pass`, which would end the client's connection normally when the server is down.
    upstream.on('error', () => upstream.connecting && client.resetAndDestroy());
    for (const socket of [client, upstream]) keep(socket);
    pass(client, upstream);
    pass(upstream, client);
    if (stalled) for (const socket of [client, upstream]) socket.pause();
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
