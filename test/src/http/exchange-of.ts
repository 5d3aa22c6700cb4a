import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEventLoop } from '../../../core/concurrency/event-loop.js';
import { Exchange } from '../../../src/http/exchange.js';

const eventLoop = createEventLoop();

/** An exchange of a client that has no connection. */
export function exchangeOf(client: string, headers: Record<string, string | undefined> = {}): Exchange {
  const request = { method: 'GET', url: '/', headers } as IncomingMessage;
  const shared = { eventLoop, clientOf: () => client, isSecure: () => false, onEnd: () => undefined };
  return new Exchange(request, {} as ServerResponse, shared);
}
