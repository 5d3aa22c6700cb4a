import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Admission } from './admission.js';
import type { Cost } from './cost.js';
import type { RunRoute } from './dispatcher.js';
import { HttpError } from './errors.js';
import { excerpt } from './excerpt.js';
import type { Exchange } from './exchange.js';
import type { HeaderList } from './header-list.js';
import { hintForPath } from './hints.js';
import { prefersHtml } from './prefers-html.js';
import type { Reply } from './reply.js';
import { NO_STORE } from './representation.js';
import { LARGEST_BODY, methodsAt, type Route } from './route.js';
import { corsHeaders, securityHeaders, type Writer } from './writer.js';

/** An application mounted under a path, or only a guard of that path. */
export interface Mount {
  path: string;
  /** Throws an HttpError for a client without access, or returns a reply to send instead. */
  guard(exchange: Exchange): Promise<Reply | undefined>;
  /** An application that writes its own responses; absent for a guard only. */
  application?: () => Promise<RequestHandler>;
  /** `content-security-policy` of that application's pages. */
  securityPolicy?: string;
}

interface AdapterOptions {
  routes: readonly Route[];
  mounts: readonly Mount[];
  /** Answers people where there is nothing: its parameters are the `path`, and the `message` that programs get. */
  notFound?: Route;
  admission: Pick<Admission, 'admit'>;
  writer: Writer;
}

const DESCRIPTION = '/openapi.json';

/** The requests that are in Express. */
const opened = new WeakMap<IncomingMessage, { exchange: Exchange; run: RunRoute }>();

function openedFor(request: IncomingMessage) {
  const found = opened.get(request);
  if (!found) throw new Error('a request that did not come through the dispatcher');
  return found;
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

/** What a body takes, as it is received and as it is parsed. One that is compressed or of unknown length may be the largest. */
function costOfBody({ headers }: Request, limit: number): Cost {
  const length = headers['content-encoding'] === undefined ? Number(headers['content-length']) : limit;
  const bytes = length <= limit ? length : limit;
  return { rows: 0, rawDays: 0, wholeBytes: 4 * bytes };
}

/**
 * Mounts the routes in Express, for requests that the dispatcher does not find by their exact path: path parameters,
 * other spellings of a path, bodies, OPTIONS, mounted applications, and unknown paths.
 */
export function createExpressAdapter({
  routes,
  mounts,
  notFound,
  admission,
  writer,
}: AdapterOptions): (exchange: Exchange, run: RunRoute) => void {
  const app = createApp();

  app.use((request, _response, next) => {
    if (request.method !== 'OPTIONS') return next();
    const allowed = methodsAt(routes, request.path);
    if (allowed.length === 0) return next();
    return writer.send(openedFor(request).exchange, preflightReply(request, allowed));
  });
  for (const route of routes) {
    app[route.method](route.path, ...handlersOf(route, admission));
  }
  for (const mount of mounts) app.use(mount.path, mounted(mount, writer));
  app.use((request) => {
    const error = unknownPath(request, routes);
    const isForPeople = error.status === 404 && prefersPage(request);
    if (!notFound || !isForPeople) throw error;
    const { exchange, run } = openedFor(request);
    exchange.params = { path: request.path, message: error.message };
    return run(notFound, exchange);
  });
  app.use(((thrown: unknown, request, _response, _next) => {
    writer.sendError(openedFor(request).exchange, thrown);
  }) as ErrorRequestHandler);

  return (exchange, run) => {
    opened.set(exchange.request, { exchange, run });
    app(exchange.request, exchange.response);
  };
}

function handlersOf(route: Route, admission: AdapterOptions['admission']): RequestHandler[] {
  const prepare: RequestHandler = async (request, _response, next) => {
    const { exchange } = openedFor(request);
    exchange.route = route.path;
    exchange.params = request.params as Record<string, string>;
    await route.guard?.(exchange);
    next();
  };
  const handle: RequestHandler = (request) => {
    const { exchange, run } = openedFor(request);
    exchange.body = request.body;
    return run(route, exchange);
  };
  if (!route.body) return [prepare, handle];
  const { largestBody = LARGEST_BODY } = route;
  const admit: RequestHandler = async (request, _response, next) => {
    await admission.admit(openedFor(request).exchange, costOfBody(request, largestBody));
    next();
  };
  return [prepare, admit, parserOf(route.body, largestBody), handle];
}

function mounted({ path, guard, application, securityPolicy }: Mount, writer: Writer): RequestHandler {
  return async (request, response, next) => {
    const { exchange } = openedFor(request);
    const instead = await guard(exchange);
    if (instead) return writer.send(exchange, instead);
    if (!application) return next();
    exchange.route = `${path}/*`;
    const handler = await application();
    setHeaders(response, [
      ...corsHeaders,
      ...securityHeaders(securityPolicy),
      'cache-control',
      'no-store',
      ...exchange.headersToSend,
    ]);
    return handler(request, response, next);
  };
}

function createApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  return app;
}

function preflightReply(request: Request, allowed: readonly string[]): Reply {
  const requestedHeaders = request.headers['access-control-request-headers'];
  const methods = allowed.join(', ');
  return {
    status: 204,
    validity:
      requestedHeaders === undefined ? NO_STORE : { ...NO_STORE, vary: ['access-control-request-headers'] },
    headers: [
      'allow',
      methods,
      'access-control-allow-methods',
      methods,
      ...(requestedHeaders === undefined ? [] : ['access-control-allow-headers', requestedHeaders]),
      'access-control-max-age',
      '86400',
    ],
  };
}

/**
 * 400 for a path that can't be decoded, 405 with `allow` for a path that has other methods, else 404; each with the address
 * that may be meant.
 */
function unknownPath({ path, method, originalUrl }: Request, routes: readonly Route[]): HttpError {
  // Throws the URIError that is a 400.
  decodeURIComponent(path);
  const allowed = methodsAt(routes, path);
  const address = hintForPath(originalUrl, pathsToShow(routes));
  if (allowed.length === 0 || allowed.includes(method)) {
    const isDescribed = routes.some((route) => route.path === DESCRIPTION);
    const hint = address ? `: use ${address}` : isDescribed ? `: all paths are in ${DESCRIPTION}` : '';
    return new HttpError(404, `nothing at ${excerpt(path)}${hint}`);
  }
  const isRead = allowed.includes('GET');
  const instead = isRead ? 'GET' : address ? `GET ${address}` : allowed[0];
  return new HttpError(405, `${method} is not allowed here: use ${instead}`, {
    headers: { allow: allowed.join(', ') },
  });
}

/** The paths that a client may be led to. */
function pathsToShow(routes: readonly Route[]): string[] {
  const shown = routes.filter(({ method, path, guard, description }) => {
    const isForReaders = description !== undefined || !path.includes('.');
    return method === 'get' && !guard && isForReaders && !/^\/(admin|v1\/:|metrics)/.test(path);
  });
  return shown.map(({ path }) => path);
}

function prefersPage({ method, headers }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && prefersHtml(headers.accept);
}

function setHeaders(
  response: { setHeader(name: string, value: string): unknown },
  headers: HeaderList,
): void {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
  }
}
