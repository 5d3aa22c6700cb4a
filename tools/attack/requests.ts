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
  /** Cut after `mostBytes`. */
  body: string;
  ms: number;
}

export interface AskOptions {
  method?: string | undefined;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
  /** The time limit for the complete response. */
  limitMs?: number;
  /** How much of the body is read before the connection is closed. */
  mostBytes?: number;
  /** The address that the request comes from. It identifies the client. */
  from?: string;
  agent?: Agent | false;
}

const LIMIT_MS = 20_000;
const MOST_BYTES = 1024 * 1024;

/** Sends a request without changing its path, and reads the response. Throws if there is none in time. */
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
    sent.on('error', () => undefined); // Thrown below, or by the response once it has begun.
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

/** Opens a paused connection. Its errors, which an attacker expects, only close it. */
export async function openConnection(url: string, from?: string): Promise<Socket> {
  const socket = connect(serverOf(url, from));
  socket.on('error', () => undefined);
  socket.pause();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/**
 * Opens many connections at once, from the given number of addresses, and closes them after the work. The service limits
 * the connections of each address.
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
