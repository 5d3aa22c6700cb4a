import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import {
  type ConnectionLimits,
  limitConnections,
  refuseConnection,
  refuseRequest,
} from './http/connections.js';
import type { Handler } from './http/dispatcher.js';
import { HttpError } from './http/errors.js';
import { HEAD_TOO_LARGE } from './openapi/responses.js';

const SECOND_MS = 1_000;

const LIMITS = {
  /** In bytes. 5,000 characters to translate take up to 60,000, and a longer text should get an error of its own. */
  maxHeaderSize: 131_072,
  headersTimeout: 10 * SECOND_MS,
  requestTimeout: 30 * SECOND_MS,
  /** Longer than the minute for which load balancers keep idle connections, so that they close them first. */
  keepAliveTimeout: 65 * SECOND_MS,
  connectionsCheckingInterval: 5 * SECOND_MS,
  /** Checked here instead, as Node responds without a body. */
  requireHostHeader: false,
};
/** Closes a connection without traffic, such as that of a client that has stopped reading. */
const STALLED_MS = 120 * SECOND_MS;
/** How long, in ticks, a request may be in transit on an idle connection that this side is about to close. */
const GRACE_TICKS = 6;
const TICK_MS = 50;
const CLOSE_LIMIT_MS = 8 * SECOND_MS;
/** Linux's default; Node's is 511. Above it, Linux drops the first packet, and clients retry after a second. */
const BACKLOG = 4_096;

interface ServerOptions {
  /** For tests. */
  limits?: Partial<typeof LIMITS>;
  /** Unlimited if absent. */
  connections?: ConnectionLimits;
}

export function createApiServer(handler: Handler, { limits, connections }: ServerOptions = {}): Server {
  const checked: Handler = (request, response) => {
    const refused = refusedRequest(request);
    if (refused) refuseRequest(response, refused);
    else handler(request, response);
  };
  const server = createServer({ ...LIMITS, ...limits }, checked);
  server.timeout = STALLED_MS;
  if (connections) limitConnections(server, connections);
  // Node handles `100-continue` itself, and emits this for every other expectation.
  server.on('checkExpectation', (_request, response) => {
    refuseRequest(response, new HttpError(417, 'the only supported expectation is 100-continue'));
  });
  server.on('clientError', refuseBroken);
  return server;
}

/** Returns the server's URL. Throws if the port or the address is unavailable. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, BACKLOG, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const anywhere = address.address === '0.0.0.0' || address.address === '::';
  const name = anywhere ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}

/** Requests in progress have eight seconds. Keep-alive connections close with their next response, or when quiet. */
export async function closeServer(server: Server): Promise<void> {
  // A client that still sends requests gets `connection: close`.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => {
    // The http server's own close would close idle connections at once, even if a request is in transit.
    NetServer.prototype.close.call(server, () => resolve());
  });
  // Counted, not timed: between two ticks the event loop has read what had arrived, however busy it is.
  let ticks = 0;
  const sweep = setInterval(() => {
    if (++ticks > GRACE_TICKS) server.closeIdleConnections();
  }, TICK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** HTTP/1.1 requires exactly one host (RFC 9112, 3.2): proxies and servers may pick different ones of several. */
function refusedRequest({ httpVersion, headers, rawHeaders }: IncomingMessage): HttpError | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.0' ? undefined : new HttpError(400, 'the host header is missing');
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1 ? new HttpError(400, 'the host header is given more than once') : undefined;
}

/** Responds to what never becomes a request: not HTTP, too large or too slow. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  // A paused connection may hold half a request, which is then not late.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.isPaused()) return;
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
  else refuseConnection(socket, refusalOf(error.code));
}

function refusalOf(code: string | undefined): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, HEAD_TOO_LARGE[431]);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'the request took too long to arrive');
  return new HttpError(400, 'malformed request');
}
