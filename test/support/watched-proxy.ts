import { once } from 'node:events';
import { createServer, request as send } from 'node:http';

/** What went through: the target, the status, and whether it was asked by entity tag. */
interface Passed {
  target: string;
  status: number;
  isConditional: boolean;
}

export interface WatchedProxy {
  /** Without a slash at the end. */
  url: string;
  passed: Passed[];
  /** Changes the headers of answers. */
  change?: ((headers: Record<string, string | string[] | undefined>) => void) | undefined;
  close(): Promise<void>;
}

/** A proxy in front of a server, to see what reaches it, to change what it answers, and to take it away. */
export async function watchedProxy(origin: string): Promise<WatchedProxy> {
  const passed: Passed[] = [];
  const { hostname, port } = new URL(origin);
  const server = createServer((request, response) => {
    const { url: path = '/', method, headers } = request;
    const forwarded = send({ hostname, port, path, method, headers, agent: false }, (answer) => {
      const status = answer.statusCode ?? 0;
      passed.push({ target: path, status, isConditional: headers['if-none-match'] !== undefined });
      const answered = { ...answer.headers };
      proxy.change?.(answered);
      response.writeHead(status, answered);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const proxy: WatchedProxy = {
    url: `http://127.0.0.1:${address.port}`,
    passed,
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
