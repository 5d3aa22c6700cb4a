import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Config } from '../../core/process/config.js';
import { connectionKey, trustOf } from './client-address.js';
import type { Handler } from './dispatcher.js';
import { errorBody, HEAD_TOO_LARGE, HttpError } from './errors.js';
import { JSON_TYPE } from './reply.js';
import { corsHeaders, securityHeaders } from './writer.js';

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
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, HEAD_TOO_LARGE);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'the request took too long to arrive');
  return new HttpError(400, 'malformed request');
}

/** Each open connection takes some kilobytes while it is idle. */
export const MOST_CONNECTIONS = { most: 2_000, perClient: 256 };

export interface ConnectionLimits {
  most: number;
  perClient: number;
  trustProxy: Config['TRUST_PROXY'];
}

const REFUSAL_LINGER_MS = 1_000;
/** For each allowed connection, how many more may be refused with a response at the same time. */
const FAREWELLS_SHARE = 1 / 3;
/** Other file descriptors of a process: files, listening sockets, PostgreSQL, Redis, upstreams, queues and operators. */
const OTHER_FILES = 104;

export function withinOpenFiles(openFiles = Number.POSITIVE_INFINITY): typeof MOST_CONNECTIONS {
  const { most, perClient } = MOST_CONNECTIONS;
  const room = (openFiles - OTHER_FILES) / (1 + FAREWELLS_SHARE);
  if (room >= most) return MOST_CONNECTIONS;
  const lowered = Math.max(1, Math.floor(room));
  return { most: lowered, perClient: Math.ceil((perClient * lowered) / most) };
}

/** Responds 503 on connections above the limits and closes them; above a further limit, without a response. */
function limitConnections(server: Server, { most, perClient, trustProxy }: ConnectionLimits): void {
  const open = createSemaphore({ permits: most, permitsPerKey: perClient });
  const trust = trustOf(trustProxy);
  const farewells = createSemaphore({ permits: Math.ceil(most * FAREWELLS_SHARE) });
  let proxied = 0;
  // Runs before the server's own listener, so that the server reads no requests from a refused connection.
  const others = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Each connection of a proxy counts as that of a separate client.
    const leave = open.tryAcquire({ key: connectionKey(socket, trust) ?? `proxied ${proxied++}` });
    if (leave) {
      socket.once('close', leave);
      for (const listener of others) listener.call(server, socket);
      return;
    }
    const left = farewells.tryAcquire();
    if (left) refuse(socket.once('close', left));
    else socket.destroy();
  });
}

function refuse(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  refuseConnection(socket, new HttpError(503, 'too many connections', { headers: { 'retry-after': '2' } }));
  // Read what the client has sent: otherwise the system resets the connection, and the response may be lost.
  socket.resume();
  setTimeout(() => socket.destroy(), REFUSAL_LINGER_MS).unref();
}

function refuseConnection(socket: Socket, error: HttpError): void {
  const { headers, body } = refusal(error);
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Refuses a request after the responses before it on the connection, and closes the connection. */
function refuseRequest(response: ServerResponse, error: HttpError): void {
  const { headers, body } = refusal(error);
  response.writeHead(error.status, headers);
  response.end(body);
}

function refusal(error: HttpError): { headers: string[]; body: string } {
  const body = JSON.stringify(errorBody(error));
  const headers = [
    ...['content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(body))],
    ...['cache-control', 'no-store'],
    ...Object.entries(error.headers).flat(),
    ...corsHeaders,
    ...securityHeaders(),
    ...['connection', 'close'],
  ];
  return { headers, body };
}
