import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client on its own connection that sends what the test passes and reads nothing. */
export interface SlowReader {
  socket: Socket;
  close(): void;
}

/** Sends requests without waiting for a response. `localAddress`, such as 127.0.0.2, makes it another client. */
export async function readNothing(
  url: string,
  paths: readonly string[],
  localAddress = '127.0.0.1',
): Promise<SlowReader> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  socket.on('error', () => undefined); // It may be cut.
  await once(socket, 'connect');
  socket.pause();
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: almanac\r\n\r\n`).join(''));
  return { socket, close: () => socket.destroy() };
}
