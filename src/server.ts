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

const SECOND_MS = 1_000;

const LIMITS = {
  /**
   * Of the request line and all headers, in bytes. A text of 5,000 characters to be translated takes up to 60,000
   * percent-encoded, and one that is too long should get an error that says so.
   */
  maxHeaderSize: 131_072,
  headersTimeout: 10 * SECOND_MS,
  requestTimeout: 30 * SECOND_MS,
  /** Longer than the minute that load balancers keep idle connections, so that they are the ones to close; KEEP_ALIVE_SECONDS. */
  keepAliveTimeout: 65 * SECOND_MS,
  connectionsCheckingInterval: 5 * SECOND_MS,
  /** Checked here instead: Node answers without a body. */
  requireHostHeader: false,
};
/** A connection without traffic, such as that of a client that has stopped reading, is closed. */
const STALLED_MS = 120 * SECOND_MS;
/** How long, in ticks, a request may be on its way on an idle connection that this side is about to close. */
const GRACE_TICKS = 6;
const TICK_MS = 50;
const CLOSE_LIMIT_MS = 8 * SECOND_MS;
/**
 * Connections that the system takes while this process is busy. Of more that come at once it drops the first packet, and
 * clients send it again after a second. This is Linux's default limit; Node's is 511.
 */
const BACKLOG = 4_096;

interface ServerOptions {
  /** In place of the standard ones. */
  limits?: Partial<typeof LIMITS>;
  /** How many connections there may be; any number where absent. */
  connections?: ConnectionLimits;
}

/** An HTTP server with limits on what a client may send and how slowly. It doesn't listen yet. */
export function createApiServer(handler: Handler, { limits, connections }: ServerOptions = {}): Server {
  const checked: Handler = (request, response) => {
    const refused = refusedRequest(request);
    if (refused) refuseRequest(response, refused);
    else handler(request, response);
  };
  const server = createServer({ ...LIMITS, ...limits }, checked);
  server.timeout = STALLED_MS;
  if (connections) limitConnections(server, connections);
  // Node leaves `100-continue` to itself, and asks here about every other expectation.
  server.on('checkExpectation', (_request, response) => {
    refuseRequest(response, new HttpError(417, 'the only expectation that is met is 100-continue'));
  });
  server.on('clientError', refuseBroken);
  return server;
}

/** Listens and gives the URL to reach it at. Throws where the port or the address can't be had. */
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

/**
 * Stops accepting, lets requests in flight finish for eight seconds, then cuts what is left. Connections that are
 * kept alive are closed with their next answer, or when nothing has come on them for a moment.
 */
export async function closeServer(server: Server): Promise<void> {
  // A client that still sends requests gets `connection: close`.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => {
    // The http server's own close cuts idle connections at once, even where a request is just on its way.
    NetServer.prototype.close.call(server, () => resolve());
  });
  // Counted, not timed: between two ticks the event loop has read what had come, however busy it is.
  let ticks = 0;
  const sweep = setInterval(() => {
    if (++ticks > GRACE_TICKS) server.closeIdleConnections();
  }, TICK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** A request of HTTP/1.1 names its host once (RFC 9112, 3.2): proxies and servers that pick from several may differ. */
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

/** What is no HTTP, too large or too slow never becomes a request. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  // A connection from which nothing is read for now may hold half a request, which is then not late.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.isPaused()) return;
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
  else refuseConnection(socket, refusalOf(error.code));
}

function refusalOf(code: string | undefined): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, 'the request line and headers are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'the request took too long to arrive');
  return new HttpError(400, 'malformed request');
}
