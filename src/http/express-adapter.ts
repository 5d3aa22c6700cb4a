import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Admission, Cost } from './admission.js';
import { HttpError } from './errors.js';
import { type Exchange, isRead } from './exchange.js';
import { NO_STORE, prefersHtml, type Reply } from './reply.js';
import { LARGEST_BODY, methodsAt, type Route } from './route.js';
import { corsHeaders, securityHeaders, type Writer } from './writer.js';

/** An application mounted at a path, or only a guard of that path. */
export interface Mount {
  path: string;
  /** Throws an HttpError for a client without access, or returns a reply to send instead. */
  guard(exchange: Exchange): Promise<Reply | undefined>;
  /** An application that writes its own responses; absent if the mount is only a guard. */
  application?: () => Promise<RequestHandler>;
  /** `content-security-policy` of that application's pages. */
  securityPolicy?: string;
}

export type RunRoute = (route: Route, exchange: Exchange) => Promise<void> | undefined;

export interface AdapterOptions {
  routes: readonly Route[];
  mounts: readonly Mount[];
  /** The error of a request that matches no route. */
  unknownPath(request: Request, routes: readonly Route[]): HttpError;
  /** Renders the 404 page for browsers. Its parameters are the `path` and the `message` that other clients get. */
  notFound?: Route;
  admission: Admission;
  writer: Writer;
}

/** The exchanges of the requests that Express handles. */
const exchanges = new WeakMap<IncomingMessage, Exchange>();

function exchangeOf(request: IncomingMessage): Exchange {
  const found = exchanges.get(request);
  if (!found) throw new Error('a request that did not come through the dispatcher');
  return found;
}

/**
 * Mounts the routes in Express for requests that the dispatcher does not find by their exact path: path parameters, other
 * spellings of a path, bodies, OPTIONS, mounted applications, and unknown paths.
 */
export function createExpressAdapter(options: AdapterOptions, run: RunRoute): (exchange: Exchange) => void {
  const { routes, mounts, notFound, admission, writer } = options;
  const app = express().disable('x-powered-by').disable('etag');
  app.use((request, _response, next) => {
    const allowed = request.method === 'OPTIONS' ? methodsAt(routes, request.path) : [];
    if (allowed.length === 0) return next();
    return writer.send(exchangeOf(request), preflightReply(request, allowed));
  });
  for (const route of routes) {
    app[route.method](route.path, ...handlersOf(route, admission), (request) => {
      const exchange = exchangeOf(request);
      exchange.body = request.body;
      return run(route, exchange);
    });
  }
  for (const mount of mounts) app.use(mount.path, mounted(mount, writer));
  app.use((request) => {
    const error = options.unknownPath(request, routes);
    const isForPeople = error.status === 404 && isRead(request.method) && prefersHtml(request.headers.accept);
    if (!notFound || !isForPeople) throw error;
    const exchange = exchangeOf(request);
    exchange.params = { path: request.path, message: error.message };
    return run(notFound, exchange);
  });
  app.use(((thrown: unknown, request, _response, _next) => {
    writer.sendError(exchangeOf(request), thrown);
  }) as ErrorRequestHandler);

  return (exchange) => {
    exchanges.set(exchange.request, exchange);
    // Express calls none of the above for a target that it can't parse, such as `http://[/`.
    app(exchange.request as Request, exchange.response as Response, (thrown: unknown) =>
      writer.sendError(exchange, thrown ?? new HttpError(400, 'malformed request target')),
    );
  };
}

/** The handlers before that of the route: its guard, and reading the body once there is capacity for it. */
function handlersOf(route: Route, admission: AdapterOptions['admission']): RequestHandler[] {
  const { body, largestBody = LARGEST_BODY } = route;
  const prepare: RequestHandler = async (request, _response, next) => {
    const exchange = exchangeOf(request);
    exchange.route = route.path;
    exchange.params = request.params as Record<string, string>;
    await route.guard?.(exchange);
    if (body) await admission.admit(exchange, costOfBody(request, largestBody));
    next();
  };
  return body ? [prepare, parserOf(body, largestBody)] : [prepare];
}

function parserOf(form: NonNullable<Route['body']>, limit: number): RequestHandler {
  switch (form) {
    case 'json':
      return express.json({ limit, strict: true });
    case 'form':
      return express.urlencoded({ extended: false, limit, parameterLimit: 4 });
    case 'text':
      return express.text({ limit, type: () => true });
  }
}

/**
 * The memory that a body takes, as it is received and as it is parsed. A compressed body or one of unknown length counts as
 * the largest allowed.
 */
function costOfBody({ headers }: Request, limit: number): Cost {
  const length = headers['content-encoding'] === undefined ? Number(headers['content-length']) : limit;
  const bytes = length <= limit ? length : limit;
  return { rows: 0, rawDays: 0, wholeBytes: 4 * bytes };
}

function mounted({ path, guard, application, securityPolicy }: Mount, writer: Writer): RequestHandler {
  return async (request, response, next) => {
    const exchange = exchangeOf(request);
    const instead = await guard(exchange);
    if (instead) return writer.send(exchange, instead);
    if (!application) return next();
    exchange.route = `${path}/*`;
    const handler = await application();
    const headers = [...corsHeaders, ...securityHeaders(securityPolicy), ...exchange.headersToSend];
    for (let index = 0; index + 1 < headers.length; index += 2) {
      response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
    }
    response.setHeader('cache-control', 'no-store');
    return handler(request, response, next);
  };
}

function preflightReply({ headers }: Request, allowed: readonly string[]): Reply {
  const asked = headers['access-control-request-headers'];
  const methods = allowed.join(', ');
  return {
    status: 204,
    validity: asked === undefined ? NO_STORE : { ...NO_STORE, vary: ['access-control-request-headers'] },
    headers: [
      ...['allow', methods, 'access-control-allow-methods', methods],
      ...(asked === undefined ? [] : ['access-control-allow-headers', asked]),
      ...['access-control-max-age', '86400'],
    ],
  };
}
