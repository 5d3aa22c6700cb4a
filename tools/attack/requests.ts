import { once } from 'node:events';
import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import { connect, type Socket } from 'node:net';

/** A response, and how long it took. */
export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** The first bytes only, where there are more than were wanted. */
  body: string;
  ms: number;
}

export interface AskOptions {
  method?: string | undefined;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
  /** Without a complete response by then it is an error. */
  limitMs?: number;
  /** How much of the body is read before the connection is closed. */
  mostBytes?: number;
  /** The address that the request comes from. It identifies the client. */
  from?: string;
  agent?: Agent | false;
}

const LIMIT_MS = 20_000;
const MOST_BYTES = 1024 * 1024;

/** Sends one request as it is, whatever its path holds, and reads the response. Throws where none comes in time. */
export async function ask(url: string, path: string, options: AskOptions = {}): Promise<Received> {
  const { method = 'GET', headers = {}, body, limitMs = LIMIT_MS, mostBytes = MOST_BYTES } = options;
  const started = performance.now();
  const sent = request({
    ...serverOf(url, options.from),
    ...{ path, method, agent: options.agent ?? false },
    headers: body === undefined ? headers : { 'content-length': Buffer.byteLength(body), ...headers },
  });
  const timer = setTimeout(() => sent.destroy(new Error(`no response within ${limitMs} ms`)), limitMs);
  try {
    sent.on('error', () => undefined); // Thrown below until the response has begun, and by the response then.
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) break;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const { statusCode: status = 0, headers: received } = response;
    return { status, headers: received, body: text, ms: performance.now() - started };
  } finally {
    clearTimeout(timer);
  }
}

function serverOf(url: string, localAddress: string | undefined) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port), ...(localAddress !== undefined && { localAddress }) };
}

/** Opens a connection on which nothing is read before it is asked for. An attacker expects its errors, which only end it. */
export async function openConnection(url: string, from?: string): Promise<Socket> {
  const socket = connect(serverOf(url, from));
  socket.on('error', () => undefined);
  socket.pause();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/**
 * Opens many connections at once, and closes all of them after the work. They come from as many addresses as are asked
 * for: what one client can't do, many may.
 */
export async function withConnections<T>(
  url: string,
  { count, clients }: { count: number; clients: number },
  work: (connections: readonly Socket[]) => Promise<T>,
): Promise<T> {
  const addresses = Array.from({ length: count }, (_, index) => `127.1.0.${1 + (index % clients)}`);
  const connections = await Promise.all(addresses.map((address) => openConnection(url, address)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.destroy();
  }
}
