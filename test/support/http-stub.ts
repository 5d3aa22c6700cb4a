import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the stub received it. */
export interface StubRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export type StubHandler = (request: StubRequest, response: ServerResponse) => void | Promise<void>;

export interface HttpStub {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  /** Every request so far, oldest first. */
  requests: StubRequest[];
  /** Sets or replaces the handler of a path, or of `METHOD /path`. */
  route(path: string, handler: StubHandler): void;
  /** Breaks open connections and stops listening. */
  close(): Promise<void>;
}

/**
 * A real HTTP server in place of an upstream. Routes are found by `METHOD /path`, then `/path`, then `*`; what
 * matches none is answered 404, a handler that throws 500. A handler that never ends its answer leaves the
 * client waiting, as a dead upstream would.
 */
export async function httpStub(routes: Readonly<Record<string, StubHandler>> = {}): Promise<HttpStub> {
  const handlers = new Map(Object.entries(routes));
  const requests: StubRequest[] = [];
  const server = createServer(async (incoming, response) => {
    try {
      const { method = 'GET', headers } = incoming;
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://stub');
      let body = '';
      for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
      const request = { method, path, query, headers, body };
      requests.push(request);
      const handler = handlers.get(`${method} ${path}`) ?? handlers.get(path) ?? handlers.get('*');
      if (handler) await handler(request, response);
      else response.writeHead(404).end();
    } catch (error) {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    route: (path, handler) => handlers.set(path, handler),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A handler that answers a text, JSON when it is not a string. */
export function answer(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): StubHandler {
  return (_request, response) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(sent);
  };
}
