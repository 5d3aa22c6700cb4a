import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Opens a TCP proxy to the server of a URL until the test has finished, and returns the URL through it. While it is stalled,
 * connections stay open and no bytes pass. `answer` passes on what the server sends on a connection, of which the first is 1.
 */
export async function openProxy(
  url: string,
  answer = (upstream: Socket, client: Socket, _connection: number): unknown => upstream.pipe(client),
) {
  const through = new URL(url);
  const { hostname, port } = through;
  const sides: [Socket, Socket][] = [];
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    sides.push([client, upstream]);
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    if (isStalled) return;
    client.pipe(upstream);
    answer(upstream, client, sides.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    for (const socket of sides.flat()) socket.destroy();
  });
  return {
    url: through.href,
    stall() {
      isStalled = true;
      for (const socket of sides.flat()) socket.unpipe();
    },
    resume() {
      isStalled = false;
      for (const [client, upstream] of sides) client.pipe(upstream).pipe(client);
    },
  };
}
