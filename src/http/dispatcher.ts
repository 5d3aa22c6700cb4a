import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventLoop } from '../../core/concurrency/event-loop.js';
import { type Clock, todayNumber } from '../../core/domain/clock.js';
import type { Admission } from './admission.js';
import type { Exchange, OpenExchange } from './exchange.js';
import type { HeaderList } from './header-list.js';
import type { Limits } from './limits.js';
import type { DeferredReply, Reply } from './reply.js';
import { type CachedReply, nameOfData, type ResponseCache } from './response-cache.js';
import type { Route } from './route.js';
import { pathOf } from './target.js';
import type { Writer } from './writer.js';

/** Handles a request and sends its response. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs a route for an exchange and sends its reply or an error. */
export type RunRoute = (route: Route, exchange: Exchange) => Promise<void> | undefined;

interface DispatcherOptions {
  routes: readonly Route[];
  openExchange: OpenExchange;
  limits: Limits;
  admission: Admission;
  eventLoop: EventLoop;
  responseCache: ResponseCache;
  /** The current data, whose version decides which cached replies are valid. */
  snapshot: { current(): { readonly version: string; readonly manifest?: string } | undefined };
  clock: Clock;
  writer: Writer;
  /** The target that a request is handled, cached and logged with: without what must not be kept of it. */
  targetOf?(target: string): string;
  /** Called for every reply from the response cache. */
  onCacheHit(): void;
  /** Handles requests whose method and path are not exactly those of a route, with the same routes. */
  fallback(exchange: Exchange, run: RunRoute): void;
}

/**
 * Creates the handler of all requests. It opens an exchange, then sends the reply from the response cache, runs the
 * route of exactly this path, or calls the fallback. In each case the limit of the route counts the request once, and
 * the writer sends the reply.
 */
export function createDispatcher(options: DispatcherOptions): Handler {
  const { limits, admission, eventLoop, responseCache, snapshot, clock, writer, fallback } = options;
  const exactRoutes = new Map(options.routes.filter(isExact).map((route) => [route.path, route]));

  function findCached(request: IncomingMessage): CachedReply | undefined {
    const data = snapshot.current();
    if (request.method !== 'GET' || !data) return undefined;
    return responseCache.find(request, { dataVersion: nameOfData(data), today: todayNumber(clock) });
  }

  function sendCached(exchange: Exchange, { whole }: CachedReply): undefined {
    options.onCacheHit();
    writer.sendWhole(exchange, whole);
  }

  /** Throws an HttpError 429 for a client that is over the limit. */
  function countRequest({ limit: name }: Route, exchange: Exchange): Promise<void> | undefined {
    const headers = name && limits[name]?.(exchange.client);
    const send = (counted: HeaderList) => {
      if (counted.length > 0) exchange.headersToSend = [...exchange.headersToSend, ...counted];
    };
    if (headers instanceof Promise) return headers.then(send);
    if (headers) send(headers);
    return undefined;
  }

  async function sendReply(route: Route, exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const today = todayNumber(clock);
    const query = route.query?.read(request.url ?? '');
    const reply = admitted(exchange, await route.handle(query, exchange));
    const isWorthKeeping =
      request.method === 'GET' && reply.dataVersion !== undefined && responseCache.isRepeated(request);
    await writer.send(
      exchange,
      reply,
      isWorthKeeping ? (whole) => responseCache.keep(request, today, { whole, route }) : undefined,
    );
  }

  /** The same reply, which is made only once there is room for it. */
  function admitted(exchange: Exchange, reply: Reply | DeferredReply) {
    if (!('make' in reply) || admission.isCheap(reply.cost)) {
      eventLoop.noteRequest(exchange.startedAt);
      return reply;
    }
    const { validity, dataVersion, cost } = reply;
    return {
      validity,
      dataVersion,
      cost,
      async make() {
        // By then it shows whether the client has closed its connection, as many do that ask for much.
        await exchange.yieldNow('long step');
        await admission.admit(exchange, cost);
        return reply.make();
      },
    };
  }

  /** Counts the request and does the work, both without waiting where they can. */
  function guarded(
    route: Route,
    exchange: Exchange,
    work: () => Promise<void> | undefined,
  ): Promise<void> | undefined {
    exchange.route = route.path;
    const fail = (thrown: unknown) => {
      // Work that ended because its client has left has nobody to tell.
      if (exchange.outcome !== 'aborted' || thrown !== exchange.signal.reason)
        writer.sendError(exchange, thrown);
    };
    try {
      const counting = countRequest(route, exchange);
      return (counting ? counting.then(work) : work())?.catch(fail);
    } catch (thrown) {
      fail(thrown);
      return undefined;
    }
  }

  const run: RunRoute = (route, exchange) => guarded(route, exchange, () => sendReply(route, exchange));

  function dispatch(exchange: Exchange): void {
    const { request } = exchange;
    const cached = findCached(request);
    if (cached) {
      eventLoop.noteRequest(exchange.startedAt);
      void guarded(cached.route, exchange, () => sendCached(exchange, cached));
      return;
    }
    const route = isRead(request) ? exactRoutes.get(pathOf(request.url ?? '')) : undefined;
    const refused = route?.isEssential ? undefined : admission.enter(exchange);
    if (refused) {
      writer.sendError(exchange, refused);
      return;
    }
    if (route) void run(route, exchange);
    else fallback(exchange, run);
  }

  const { openExchange, targetOf } = options;
  return (request, response) => {
    if (targetOf) request.url = targetOf(request.url ?? '');
    openExchange(request, response, dispatch);
  };
}

/** Whether a route can be run without Express: it has no path parameters, no body and no guard. */
function isExact({ method, path, guard }: Route): boolean {
  return method === 'get' && !path.includes(':') && guard === undefined;
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
