import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Handler } from '../../../src/http/dispatcher.js';
import { Exchange } from '../../../src/http/exchange.js';
import { closeServer, createApiServer, listen } from '../../../src/http/server.js';

/** What exchanges have in common. */
export const exchangeContext = { trust: () => false, onEnd: () => undefined };

/** An exchange of a client that has no connection. */
export function exchangeOf(client: string, headers: Record<string, string | undefined> = {}): Exchange {
  const socket = { remoteAddress: client };
  const request = { method: 'GET', url: '/', headers, socket } as IncomingMessage;
  return new Exchange(request, {} as ServerResponse, exchangeContext);
}

/** Responds once the body is read. */
export const done: Handler = (request, response) => {
  request.resume().on('end', () => response.end('done'));
};

/** A server that has this handler alone, until the end of the test. */
export async function serveHandler(
  handler: Handler = done,
  options: Parameters<typeof createApiServer>[1] = {},
) {
  const server = createApiServer(handler, options);
  const url = new URL(await listen(server, 0, '127.0.0.1'));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeServer(server);
    return closing;
  };
  onTestFinished(close);
  /** A connection, of which a client elsewhere has another local address. */
  function dial(localAddress = '127.0.0.1', allowHalfOpen = false): Socket {
    const socket = connect({ port: Number(url.port), host: url.hostname, localAddress, allowHalfOpen });
    socket.on('error', () => undefined); // It may be reset.
    onTestFinished(() => void socket.destroy());
    return socket;
  }
  /** What comes on a connection of its own, from what is sent to its end. */
  const responseTo = (sent: string, socket = dial()) => {
    socket.write(sent);
    return received(socket);
  };
  return { server, url, dial, responseTo, close };
}

/** What comes on a connection until its end. */
export const received = (socket: Socket) => text(socket).catch(() => 'reset');

/** A request on a connection of its own unless an agent has one, which is not sent yet. */
export function open(url: string, options: RequestOptions = {}) {
  const { origin, hostname, port } = new URL(url);
  // The path goes out as it is written.
  const sent = httpRequest({ hostname, port, path: url.slice(origin.length), agent: false, ...options });
  return sent.on('error', () => undefined); // It may be cut.
}

export interface Sent extends RequestOptions {
  body?: string | Uint8Array;
}

export interface Got {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
}

/** The response to a request on a connection of its own unless an agent has one. */
export async function ask(url: string, { body, ...options }: Sent = {}): Promise<Got> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    open(url, options).on('response', resolve).on('error', reject).end(body);
  });
  const { statusCode: status, headers, rawHeaders } = response;
  return { status, headers, rawHeaders, body: await buffer(response) };
}

/** The status of the response to a request, or how it failed. */
export const outcomeOf = (url: string, sent?: Sent): Promise<number | string> =>
  ask(url, sent).then(
    ({ status }) => status ?? 'no status',
    (error: Error) => error.message,
  );
