import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createEventLoop } from '../../../core/concurrency/event-loop.js';
import { Exchange } from '../../../src/http/exchange.js';

const eventLoop = createEventLoop();

/** An exchange of a client that has no connection. */
export function exchangeOf(client: string, headers: Record<string, string | undefined> = {}): Exchange {
  const request = { method: 'GET', url: '/', headers } as IncomingMessage;
  const shared = { eventLoop, clientOf: () => client, isSecure: () => false, onEnd: () => undefined };
  return new Exchange(request, {} as ServerResponse, shared);
}

/** A request on a connection of its own, which is not sent yet. */
export function open(url: string, options: RequestOptions = {}) {
  const { origin, hostname, port } = new URL(url);
  // The path goes out as it is written.
  const sent = httpRequest({ hostname, port, path: url.slice(origin.length), ...options, agent: false });
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

/** The response to a request on a connection of its own. */
export async function ask(url: string, { body, ...options }: Sent = {}): Promise<Got> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    open(url, options).on('response', resolve).on('error', reject).end(body);
  });
  const { statusCode: status, headers, rawHeaders } = response;
  return { status, headers, rawHeaders, body: await buffer(response) };
}
