import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
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
  return new Promise((resolve, reject) => {
    const sent = request({
      ...serverOf(url),
      path,
      method,
      headers: body === undefined ? headers : { 'content-length': Buffer.byteLength(body), ...headers },
      agent: options.agent ?? false,
      ...(options.from !== undefined && { localAddress: options.from }),
    });
    const timer = setTimeout(() => sent.destroy(new Error(`no response within ${limitMs} ms`)), limitMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    sent.on('error', fail);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => {
        clearTimeout(timer);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          ms: performance.now() - started,
        });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= mostBytes) return;
        finish();
        sent.destroy();
      });
      response.on('end', finish);
      response.on('error', fail);
    });
    sent.end(body);
  });
}

function serverOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** A connection on which nothing is read before it is asked for. */
export interface RawConnection {
  socket: Socket;
  write(text: string): void;
  /** Reads what has arrived, up to a number of bytes. Returns the number read. */
  read(most: number): number;
  destroy(): void;
}

/** Opens a connection. Its errors end it and nothing else: an attacker has to expect them. */
export async function openConnection(url: string, from?: string): Promise<RawConnection> {
  const socket = connect({
    ...serverOf(url),
    ...(from !== undefined && { localAddress: from }),
  });
  socket.on('error', () => undefined);
  socket.pause();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return {
    socket,
    write(text) {
      if (!socket.destroyed) socket.write(text, 'latin1');
    },
    read: (most) => (socket.read(Math.min(most, socket.readableLength)) as Buffer | null)?.length ?? 0,
    destroy: () => void socket.destroy(),
  };
}

/**
 * Opens many connections at once, and closes all of them after the work. They come from as many addresses as are asked
 * for: what one client can't do, many may.
 */
export async function withConnections<T>(
  url: string,
  { count, clients }: { count: number; clients: number },
  work: (connections: readonly RawConnection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(
    Array.from({ length: count }, (_, index) => openConnection(url, `127.1.0.${1 + (index % clients)}`)),
  );
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.destroy();
  }
}

/** The text of a GET request. */
export function getText(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: attack\r\n\r\n`;
}
