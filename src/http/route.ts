import type { IncomingHttpHeaders } from 'node:http';
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { Waiter } from './admission.js';
import type { LimitName } from './limits.js';
import { movedTo, type Reply, type Task } from './reply.js';

/** What a handler gets of the request besides its query. */
export interface RequestContext extends Waiter {
  /** The request ID, as in the log and in `x-request-id`. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** The decoded values of the parameters in the route's template. */
  readonly params: Readonly<Record<string, string>>;
  /** The parsed body, if the route accepts one and the client sent it. */
  readonly body: unknown;
  /** Whether the client uses TLS, according to the trusted proxy. */
  readonly isSecure: boolean;
}

/** The description of a route in the OpenAPI document, besides its schemas. */
export type RouteDescription = Pick<
  RouteConfig,
  'summary' | 'description' | 'tags' | 'responses' | 'security'
> & {
  params?: z.ZodObject;
  body?: z.ZodType;
  bodyExample?: unknown;
};

/** Reads the query of a request's target against a schema whose keys are the supported parameters. */
export interface QueryReader<Query> {
  schema: z.ZodObject;
  /** Throws an HttpError that names the invalid parameters, ten at most. */
  read(target: string): Query;
}

/** The largest body of most routes, in bytes. */
export const LARGEST_BODY = 4_096;

/** One route of the service. It has no access to the socket: the writer sends the reply that it returns. */
export interface Route<Query = unknown> {
  readonly method: 'get' | 'post';
  /** In the syntax of Express, such as `/v2/currency/:code`. Identifies the route in logs and metrics. */
  readonly path: string;
  /** The limit that counts its requests. Without it they are not counted. */
  readonly limit?: LimitName;
  /** Whether the route is served even while too many requests are in progress, as health checks are. */
  readonly isEssential?: true;
  /** Parses the query; absent if the route ignores it. */
  readonly query?: QueryReader<Query>;
  /** How the body is parsed; `text` leaves parsing to the handler. Absent if the route accepts no body. */
  readonly body?: 'json' | 'form' | 'text';
  /** The largest body that it accepts, in bytes; LARGEST_BODY if absent. */
  readonly largestBody?: number;
  /** Throws an HttpError for a client that may not use the route. Runs before the body is read. */
  readonly guard?: (context: RequestContext) => void | Promise<void>;
  /** Absent for pages that are not part of the API. */
  readonly description?: RouteDescription;
  /**
   * Returns the reply to a request, or the task that makes it. Throws an HttpError, which becomes the response, and
   * DataOutdated if the request must be handled again with newer data.
   */
  handle(query: Query, context: RequestContext): Reply | Task | Promise<Reply | Task>;
}

/** Defines a route whose handler gets the result of the route's own query reader. */
export function defineRoute<Query>(route: Route<Query>): Route {
  return route as Route;
}

/**
 * A path that is easily mistaken for another with the same parameters. It redirects clients there permanently, with their
 * query.
 */
export function movedRoute(path: string, to: string): Route {
  return defineRoute({
    method: 'get',
    path,
    limit: 'currency',
    query: { schema: z.object({}), read: (target) => target },
    handle(target, { params }) {
      const there = to.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
      return movedTo(there + target.slice(pathOf(target).length));
    },
  });
}

/** Whether requests with a method only read. */
export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the path of a request's target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/**
 * The origin at which a client has reached the service, such as `https://rates.example`: from the `host` header of its
 * request, and from whether it came over TLS, also to a trusted proxy. A `host` with other characters than a host name and a
 * port becomes `localhost`.
 */
export function originOf({ headers, isSecure }: Pick<RequestContext, 'headers' | 'isSecure'>): string {
  const { host = '' } = headers;
  return `${isSecure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}

/** Returns the methods of a path, `OPTIONS` included; none if no route has the path. */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = new Set<string>();
  for (const route of routes) {
    if (!matches(route.path, path)) continue;
    methods.add(route.method.toUpperCase());
    if (route.method === 'get') methods.add('HEAD');
  }
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods];
}

/** Whether a path matches a template, ignoring case and a trailing slash as Express does. */
function matches(template: string, path: string): boolean {
  const wanted = segmentsOf(template);
  const given = segmentsOf(path);
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => segment.includes(':') || segment === given[at])
  );
}

function segmentsOf(path: string): string[] {
  return path.toLowerCase().replace(/\/$/, '').split('/');
}
