import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { EventLoop, YieldNow } from '../../core/concurrency/event-loop.js';
import type { RequestContext } from './route.js';

/** How an exchange ended: the complete response was handed to the system, or the client disconnected before. */
export type Outcome = 'finished' | 'aborted';

const VALID_ID = /^[\w.:/+=@-]{1,128}$/;
const NO_PARAMS: Readonly<Record<string, string>> = {};

/** What all exchanges of a process share. */
export interface ExchangeContext {
  eventLoop: EventLoop;
  /** Who counts as one client: see clientKey. */
  clientOf(request: IncomingMessage): string;
}

/** One request with its response, from the arrival of the one to the end of the other. */
export class Exchange implements RequestContext {
  readonly startedAt = performance.now();
  /** The client's own id where it is a valid one. */
  readonly id: string;
  /** The template of the route, for logs and metrics: a path that the client chose must not become a label. */
  route = 'unmatched';
  /** Headers of this exchange only: its id, and the state of the client's limit. */
  headersToSend: readonly string[];
  params = NO_PARAMS;
  body: unknown;
  isSecure = false;
  outcome: Outcome | undefined;
  /** Milliseconds from the arrival of the request to the end of the response; 0 before it. */
  durationMs = 0;
  readonly #shared: ExchangeContext;
  #abort: AbortController | undefined;
  #client: string | undefined;
  #yieldNow: YieldNow | undefined;
  #whenOver: (() => void)[] | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    shared: ExchangeContext,
  ) {
    this.#shared = shared;
    const given = request.headers['x-request-id'];
    this.id = typeof given === 'string' && VALID_ID.test(given) ? given : randomUUID();
    this.headersToSend = ['x-request-id', this.id];
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get client(): string {
    this.#client ??= this.#shared.clientOf(this.request);
    return this.#client;
  }

  get yieldNow(): YieldNow {
    this.#yieldNow ??= this.#shared.eventLoop.createYielder(this.client, this.signal);
    return this.#yieldNow;
  }

  /** Created at its first use: most exchanges end without one. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.outcome === 'aborted') this.#abort.abort();
    return this.#abort.signal;
  }

  /** Calls back once it has ended, at once if it has. */
  whenOver(callback: () => void): void {
    if (this.outcome !== undefined) callback();
    else if (this.#whenOver) this.#whenOver.push(callback);
    else this.#whenOver = [callback];
  }

  /** Records how it ended. Later calls have no effect. */
  end(outcome: Outcome): boolean {
    if (this.outcome !== undefined) return false;
    this.outcome = outcome;
    this.durationMs = performance.now() - this.startedAt;
    if (outcome === 'aborted') this.#abort?.abort();
    for (const callback of this.#whenOver ?? []) callback();
    return true;
  }
}

/**
 * Opens an exchange for each request and calls back when it is over. A connection that closes ends all exchanges on
 * it: Node notifies only the response that is being sent, not those queued after it on the same connection.
 */
export function openExchanges(
  onEnd: (exchange: Exchange) => void,
  shared: ExchangeContext,
): (request: IncomingMessage, response: ServerResponse) => Exchange {
  const bySocket = new WeakMap<Socket, Set<Exchange>>();

  function exchangesOn(socket: Socket): Set<Exchange> {
    const known = bySocket.get(socket);
    if (known) return known;
    const open = new Set<Exchange>();
    bySocket.set(socket, open);
    socket.once('close', () => {
      for (const exchange of open) if (exchange.end('aborted')) onEnd(exchange);
      open.clear();
    });
    return open;
  }

  return (request, response) => {
    const exchange = new Exchange(request, response, shared);
    const open = exchangesOn(request.socket);
    open.add(exchange);
    response.on('finish', () => {
      open.delete(exchange);
      if (exchange.end('finished')) onEnd(exchange);
    });
    return exchange;
  };
}

/** Counts a request, with the template of its route and its duration in seconds. */
export type CountRequest = (method: string, route: string, status: number, seconds: number) => void;

const LONGEST_URL = 2_000;
const FREQUENT = /^\/(health|metrics)\b/;

/**
 * Logs and counts exchanges that are over. The duration is the time from the arrival of the request until its response
 * was handed to the system, or the client left. Health checks and scrapes, which come every few seconds, are logged at
 * `debug`, all others at `info`. Lines are written together at the end of an iteration of the event loop, which takes
 * half the time of writing each at once.
 */
export function createRequestLog(log: Logger, count?: CountRequest): (exchange: Exchange) => void {
  // These lines contain no secrets, and redaction would take longer than writing them.
  const lines = log.child({}, { redact: [] });
  let ended: Exchange[] = [];

  const write = ({ id, request, response, route, outcome, durationMs: ms }: Exchange) => {
    const { method = '', url = '' } = request;
    const status = response.statusCode;
    count?.(method, route, status, ms / 1000);
    const line = { id, method, url: loggedUrl(url, route), status, ms: Math.round(ms * 1000) / 1000 };
    lines[FREQUENT.test(url) ? 'debug' : 'info'](
      outcome === 'aborted' ? { ...line, aborted: true } : line,
      'request',
    );
  };
  const writeAll = () => {
    const batch = ended;
    ended = [];
    for (const exchange of batch) write(exchange);
  };
  return (exchange) => {
    if (ended.length === 0) setImmediate(writeAll);
    ended.push(exchange);
  };
}

/** Queries are logged for currency routes only: elsewhere they tell where people are and what they translate. */
function loggedUrl(url: string, route: string): string {
  return (route.startsWith('/v2/') ? url : (url.split('?', 1)[0] ?? '')).slice(0, LONGEST_URL);
}
