import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../core/process/config.js';
import { createQuota } from './admission.js';
import { connectionKey, trustOf } from './client-address.js';
import { errorBody, HttpError } from './errors.js';
import { JSON_TYPE } from './reply.js';
import { corsHeaders, securityHeaders } from './writer.js';

/** How many connections there may be, and which proxies have those of many clients. */
export type ConnectionLimits = Pick<Config, 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_CLIENT' | 'TRUST_PROXY'>;

/** How long a connection that is refused has to receive the response. */
const REFUSAL_LINGER_MS = 1_000;
/** For each open connection, how many more may be refused with a response at the same time. */
const FAREWELLS_SHARE = 1 / 3;
/**
 * What else a process has open at most: some thirty files of its own, listening sockets, connections to Redis, upstreams and
 * the queues, those of operators, and files that are read.
 */
const OTHER_FILES = 96;

/** The limits, lowered in proportion where a process may open too few files to have that many connections. */
export function withinOpenFiles<Limits extends ConnectionLimits & Pick<Config, 'DATABASE_CONNECTIONS'>>(
  limits: Limits,
  openFiles = Number.POSITIVE_INFINITY,
): Limits {
  const { MAX_CONNECTIONS: most, MAX_CONNECTIONS_PER_CLIENT: perClient } = limits;
  const room = (openFiles - OTHER_FILES - limits.DATABASE_CONNECTIONS) / (1 + FAREWELLS_SHARE);
  if (room >= most) return limits;
  const lowered = Math.max(1, Math.floor(room));
  return {
    ...limits,
    MAX_CONNECTIONS: lowered,
    MAX_CONNECTIONS_PER_CLIENT: Math.ceil((perClient * lowered) / most),
  };
}

/**
 * Responds 503 on connections above the limits and closes them. Where very many are refused at a time, some are closed
 * without a response.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const open = createQuota(limits.MAX_CONNECTIONS, limits.MAX_CONNECTIONS_PER_CLIENT);
  const trust = trustOf(limits.TRUST_PROXY);
  const farewells = createQuota(
    Math.ceil(limits.MAX_CONNECTIONS * FAREWELLS_SHARE),
    Number.POSITIVE_INFINITY,
  );
  let proxied = 0;
  // Before the server's own listener, so that it does not read requests from a connection that is refused.
  const others = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Each connection of a proxy counts as a client's own.
    const leave = open.enter(connectionKey(socket, trust) ?? `proxied ${proxied++}`);
    if (leave) {
      socket.once('close', leave);
      for (const listener of others) listener.call(server, socket);
      return;
    }
    const left = farewells.enter('');
    if (left) refuse(socket.once('close', left));
    else socket.destroy();
  });
}

function refuse(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  refuseConnection(socket, new HttpError(503, 'too many connections', { headers: { 'retry-after': '2' } }));
  // What the client has sent must be read: else the system resets the connection, and the response may be lost.
  socket.resume();
  setTimeout(() => socket.destroy(), REFUSAL_LINGER_MS).unref();
}

/** Responds on the socket to what is no complete request: not HTTP, too large, or too slow. */
export function refuseConnection(socket: Socket, error: HttpError): void {
  const { headers, body } = refusal(error);
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Refuses a request that no route may see, after the responses before it, and closes the connection. */
export function refuseRequest(response: ServerResponse, error: HttpError): void {
  const { headers, body } = refusal(error);
  response.writeHead(error.status, headers);
  response.end(body);
}

function refusal(error: HttpError): { headers: string[]; body: string } {
  const body = JSON.stringify(errorBody(error));
  const headers = [
    'content-type',
    JSON_TYPE,
    'content-length',
    String(Buffer.byteLength(body)),
    'cache-control',
    'no-store',
    ...Object.entries(error.headers).flat(),
    ...corsHeaders,
    ...securityHeaders(),
    'connection',
    'close',
  ];
  return { headers, body };
}
