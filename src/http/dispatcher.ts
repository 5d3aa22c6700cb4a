import type { IncomingMessage, ServerResponse } from 'node:http';
import { within } from '../../core/concurrency/within.js';
import { type Clock, todayNumber } from '../../core/domain/dates.js';
import { type ClientKeys, withoutKeys } from './client-keys.js';
import { DataOutdated, HttpError } from './errors.js';
import { type Exchange, isRead, type OpenExchange, pathOf } from './exchange.js';
import { type AdapterOptions, createExpressAdapter } from './express-adapter.js';
import type { Limits } from './limits.js';
import type { Content, Reply, Task } from './reply.js';
import { type CachedReply, nameOfData, type ResponseCache } from './response-cache.js';
import type { RequestContext, Route } from './route.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes the content of a task once there is capacity for it. Throws an HttpError, or DataOutdated. */
export type MakeContent = (task: Task, context: RequestContext) => Content | Promise<Content>;

interface DispatcherOptions extends AdapterOptions {
  openExchange: OpenExchange;
  limits: Limits;
  responseCache: ResponseCache;
  /** Its version decides which cached replies are valid. */
  snapshot: {
    current(): { readonly version: string; readonly manifest?: string } | undefined;
    catchUp(): Promise<unknown>;
  };
  clock: Clock;
  makeContent: MakeContent;
  clientKeys?: ClientKeys;
  onCacheHit(): void;
}

const ATTEMPTS = 5;
const CATCH_UP_MS = 2_000;

/**
 * Each request goes through these steps, in this order:
 *
 * 1. Look up the finished reply in the response cache, or else find the route: by the exact path here, any other in the
 *    fallback. Refuse the request if too many are in progress.
 * 2. Count the request against the limit of the route. Send the finished reply if it was found.
 * 3. Read the query and call the route's handler. It returns a reply, or a task with the tag, the lifetime and the cost of
 *    the content to make.
 * 4. Send a 304 if the client has the body with that tag.
 * 5. Make the content of a task once there is capacity for it: see `MakeContent`.
 * 6. Encode and send the reply, and cache it if it was requested repeatedly.
 */
class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #exactRoutes: ReadonlyMap<string, Route>;
  /** Handles requests whose method and path do not match a route exactly. */
  readonly #fallback: (exchange: Exchange) => void;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#exactRoutes = new Map(options.routes.filter(isExact).map((route) => [route.path, route]));
    this.#fallback = createExpressAdapter(options, (route, exchange) => this.#respondBy(route, exchange));
  }

  dispatch(exchange: Exchange): void {
    const { onCacheHit, admission, writer } = this.#options;
    const { request } = exchange;
    const cached = this.#findCached(request);
    if (cached) {
      onCacheHit();
      void this.#run(cached.route, exchange, () => writer.sendWhole(exchange, cached.whole));
      return;
    }
    const route = isRead(request.method) ? this.#exactRoutes.get(pathOf(request.url ?? '')) : undefined;
    const refused = route?.isEssential ? undefined : admission.enter(exchange);
    if (refused) writer.sendError(exchange, refused);
    else if (route) void this.#respondBy(route, exchange);
    else this.#fallback(exchange);
  }

  #findCached(request: IncomingMessage): CachedReply | undefined {
    const { snapshot, responseCache, clock } = this.#options;
    const data = snapshot.current();
    if (request.method !== 'GET' || !data) return undefined;
    return responseCache.find(request, { dataVersion: nameOfData(data), today: todayNumber(clock) });
  }

  #respondBy(route: Route, exchange: Exchange): Promise<void> | undefined {
    return this.#run(route, exchange, () => this.#respond(route, exchange));
  }

  #run(route: Route, exchange: Exchange, send: () => Promise<void> | void): Promise<void> | undefined {
    exchange.route = route.path;
    const fail = (thrown: unknown) => {
      // If the client disconnected, the resulting error has no recipient.
      if (exchange.outcome !== 'aborted' || thrown !== exchange.signal.reason)
        this.#options.writer.sendError(exchange, thrown);
    };
    try {
      const counting = this.#count(route, exchange);
      return (counting ? counting.then(send) : send())?.catch(fail);
    } catch (thrown) {
      fail(thrown);
      return undefined;
    }
  }

  /** Throws an HttpError 429 for a client over the limit. */
  #count({ limit: name }: Route, exchange: Exchange): Promise<void> | undefined {
    const headers = name && this.#options.limits[name]?.(exchange.client);
    if (headers instanceof Promise) return headers.then((counted) => exchange.addHeaders(counted));
    if (headers) exchange.addHeaders(headers);
    return undefined;
  }

  /** Responds with one data version. Retries with a newer one if the database no longer has it. */
  async #respond(route: Route, exchange: Exchange): Promise<void> {
    const { clock, makeContent, responseCache, writer } = this.#options;
    const { request } = exchange;
    const query = route.query?.read(request.url ?? '');
    for (let attempt = 1; ; attempt++) {
      try {
        const today = todayNumber(clock);
        const resolved = await route.handle(query, exchange);
        const isCacheable = request.method === 'GET' && resolved.dataVersion !== undefined;
        const isKept = isCacheable && responseCache.isRepeated(request);
        if (!isKept && writer.sentNotModified(exchange, resolved.validity)) return;
        const isTask = 'maker' in resolved;
        const reply = isTask ? replyWith(resolved, await makeContent(resolved, exchange)) : resolved;
        const whole = await writer.send(exchange, reply);
        if (isKept && whole) responseCache.keep(request, today, { whole, route });
        return;
      } catch (error) {
        if (!(error instanceof DataOutdated) || exchange.response.headersSent) throw error;
        if (attempt === ATTEMPTS) throw changing(error);
      }
      await this.#catchUp();
    }
  }

  /** If newer data can't be read, the next attempt uses the data at hand, and may fail with an error of its own. */
  async #catchUp(): Promise<void> {
    const isOver = () => true;
    const catchingUp = this.#options.snapshot.catchUp().then(isOver, isOver);
    if (!(await within(CATCH_UP_MS, catchingUp, false)))
      throw changing(new Error(`catching up took longer than ${CATCH_UP_MS} ms`));
  }
}

export function createDispatcher(options: DispatcherOptions): Handler {
  const { openExchange, clientKeys } = options;
  const dispatcher = new Dispatcher(options);
  const dispatch = (exchange: Exchange) => dispatcher.dispatch(exchange);
  return (request, response) => {
    const { url = '' } = request;
    if (clientKeys?.targets.test(url)) request.url = withoutKeys(url, clientKeys);
    openExchange(request, response, dispatch);
  };
}

function replyWith({ validity, dataVersion, headers }: Task, content: Content): Reply {
  const { tag } = content;
  return { validity: tag === undefined ? validity : { ...validity, tag }, dataVersion, headers, content };
}

function changing(cause: unknown): HttpError {
  return new HttpError(503, 'the rates are changing right now', { headers: { 'retry-after': '1' }, cause });
}

/** Whether a route can run without Express: it has no path parameters, no body and no guard. */
function isExact({ method, path, guard }: Route): boolean {
  return method === 'get' && !path.includes(':') && guard === undefined;
}
