import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Config } from '../../core/process/config.js';
import { connectionKey, trustOf } from './client-address.js';
import { errorBody, HttpError } from './errors.js';
import { JSON_TYPE } from './reply.js';
import { corsHeaders, securityHeaders } from './writer.js';

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
export function limitConnections(server: Server, { most, perClient, trustProxy }: ConnectionLimits): void {
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

export function refuseConnection(socket: Socket, error: HttpError): void {
  const { headers, body } = refusal(error);
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Refuses a request after the responses before it on the connection, and closes the connection. */
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
