import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WaitBudget } from '../../core/concurrency/semaphore.js';
import { clientKey, isSecure, type Trust } from './client-address.js';
import type { HeaderList } from './reply.js';
import type { RequestContext } from './route.js';

/** `finished`: the operating system took the complete response. `aborted`: the client disconnected before. */
export type Outcome = 'finished' | 'aborted';

const LONGEST_WAIT_MS = 2_000;
const VALID_ID = /^[\w.:/+=@-]{1,128}$/;
const NO_PARAMS: Readonly<Record<string, string>> = {};

export interface ExchangeContext {
  /** The proxies whose reports about a client count. */
  trust: Trust;
  onEnd(exchange: Exchange): void;
}

/** From the arrival of the request to the end of the response. */
export class Exchange implements RequestContext {
  readonly startedAt = performance.now();
  /** The ID that the client sent, if it is valid; otherwise a random UUID. */
  readonly id: string;
  /** The template of the route, for logs and metrics: a path that the client chose must not become a label. */
  route = 'unmatched';
  /** Headers of this exchange only: its ID, and the client's rate limit. */
  headersToSend: HeaderList;
  params = NO_PARAMS;
  body: unknown;
  outcome: Outcome | undefined;
  durationMs = 0;
  readonly #shared: ExchangeContext;
  #abort: AbortController | undefined;
  #client: string | undefined;
  #waitBudget: WaitBudget | undefined;
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
    this.#client ??= clientKey(this.request, this.#shared.trust);
    return this.#client;
  }

  get isSecure(): boolean {
    return isSecure(this.request, this.#shared.trust);
  }

  get waitBudget(): WaitBudget {
    this.#waitBudget ??= { leftMs: LONGEST_WAIT_MS };
    return this.#waitBudget;
  }

  /** Created at first use, as most exchanges end without one. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.outcome === 'aborted') this.#abort.abort();
    return this.#abort.signal;
  }

  addHeaders(headers: HeaderList): void {
    if (headers.length > 0) this.headersToSend = [...this.headersToSend, ...headers];
  }

  /** Calls back once the exchange has ended, at once if it already has. */
  whenOver(callback: () => void): void {
    if (this.outcome !== undefined) callback();
    else if (this.#whenOver) this.#whenOver.push(callback);
    else this.#whenOver = [callback];
  }

  /** Later calls have no effect. */
  end(outcome: Outcome): void {
    if (this.outcome !== undefined) return;
    this.outcome = outcome;
    this.durationMs = performance.now() - this.startedAt;
    if (outcome === 'aborted') this.#abort?.abort();
    for (const callback of this.#whenOver ?? []) callback();
    this.#shared.onEnd(this);
  }
}

export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

export type OpenExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  begin: (exchange: Exchange) => void,
) => void;

/** Further requests of a connection wait until a response is finished, and the socket is paused. */
const OPEN_ON_CONNECTION = 8;
/** One chunk may hold a thousand pipelined requests. Above this limit the connection is closed. */
const MOST_WAITING = 4_096;

/** Exchanges are kept in an array: a set emptied and filled by every request would allocate memory each time. */
class Connection {
  readonly #socket: Socket;
  readonly #open: Exchange[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #inAll: { waiting: number };

  constructor(socket: Socket, inAll: { waiting: number }) {
    this.#socket = socket;
    this.#inAll = inAll;
    socket.once('close', () => {
      inAll.waiting -= this.#waiting.splice(0).length;
      for (const exchange of this.#open.splice(0)) exchange.end('aborted');
    });
    // Node resumes the socket after each response.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause();
    });
  }

  whenFree(start: () => void): void {
    if (this.#open.length < OPEN_ON_CONNECTION) {
      start();
    } else if (this.#inAll.waiting < MOST_WAITING) {
      this.#inAll.waiting++;
      this.#waiting.push(start);
      this.#socket.pause();
    } else {
      this.#socket.destroy();
    }
  }

  add(exchange: Exchange): void {
    this.#open.push(exchange);
    exchange.response.on('finish', () => this.#finish(exchange));
  }

  #finish(exchange: Exchange): void {
    const index = this.#open.indexOf(exchange);
    if (index >= 0) this.#open.splice(index, 1);
    exchange.end('finished');
    const next = this.#waiting.shift();
    if (!next) return;
    this.#inAll.waiting--;
    next();
    if (this.#waiting.length === 0) this.#socket.resume();
  }
}

/** A few at a time on each connection. A closed one ends them all: Node notifies only the response being sent. */
export function openExchanges(shared: ExchangeContext): OpenExchange {
  const bySocket = new WeakMap<Socket, Connection>();
  const inAll = { waiting: 0 };
  return (request, response, begin) => {
    const { socket } = request;
    const known = bySocket.get(socket);
    const connection = known ?? new Connection(socket, inAll);
    if (!known) bySocket.set(socket, connection);
    connection.whenFree(() => {
      const exchange = new Exchange(request, response, shared);
      connection.add(exchange);
      begin(exchange);
    });
  };
}
