import type { IncomingHttpHeaders } from 'node:http';
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import type { Waiter } from './admission.js';
import type { LimitName } from './limits.js';
import { movedTo, type Reply, type Task } from './reply.js';

export interface RequestContext extends Waiter {
  /** As in the log and in `x-request-id`. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** According to the trusted proxy. */
  readonly isSecure: boolean;
}

export type RouteDescription = Pick<
  RouteConfig,
  'operationId' | 'summary' | 'description' | 'tags' | 'responses' | 'security'
> & {
  params?: z.ZodObject;
  body?: z.ZodType;
  bodyExample?: unknown;
};

export interface QueryReader<Query> {
  schema: z.ZodObject;
  /** Throws an HttpError that names the invalid parameters, ten at most. */
  read(target: string): Query;
}

/** In bytes. */
export const LARGEST_BODY = 4_096;

/** A route has no access to the socket: the writer sends the reply that it returns. */
export interface Route<Query = unknown> {
  readonly method: 'get' | 'post';
  /** In the syntax of Express, such as `/v2/currency/:code`. Identifies the route in logs and metrics. */
  readonly path: string;
  /** Requests of a route without a limit are not counted. */
  readonly limit?: LimitName;
  /** Whether the route is served even while too many requests are in progress. */
  readonly isEssential?: true;
  /** Absent if the route ignores the query. */
  readonly query?: QueryReader<Query>;
  /** `text` leaves parsing to the handler. Absent if the route accepts no body. */
  readonly body?: 'json' | 'form' | 'text';
  /** In bytes; LARGEST_BODY if absent. */
  readonly largestBody?: number;
  /** Throws an HttpError for a client that may not use the route. Runs before the body is read. */
  readonly guard?: (context: RequestContext) => void | Promise<void>;
  /** Absent for pages that are not part of the API. */
  readonly description?: RouteDescription;
  /** Throws an HttpError, which becomes the response, and DataOutdated to be called again with newer data. */
  handle(query: Query, context: RequestContext): Reply | Task | Promise<Reply | Task>;
}

/** By GET, if no method is given. */
export function defineRoute<Query>(
  route: Omit<Route<Query>, 'method'> & { method?: Route['method'] },
): Route {
  return { method: 'get', ...route } as Route;
}

/** Permanently redirects a path that is easily mistaken for another, with parameters and query. */
export function movedRoute(path: string, to: string): Route {
  return defineRoute({
    path,
    limit: 'currency',
    query: { schema: z.object({}), read: (target) => /\?.*/s.exec(target)?.[0] ?? '' },
    handle(query, { params }) {
      const there = to.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
      return movedTo(there + query);
    },
  });
}

/** By `host` and TLS, also to a trusted proxy. A `host` that is not a host name and a port becomes `localhost`. */
export function originOf({ headers, isSecure }: Pick<RequestContext, 'headers' | 'isSecure'>): string {
  const { host = '' } = headers;
  return `${isSecure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}

/** Includes `OPTIONS`; empty if no route has the path. */
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

/** Ignores case and a trailing slash, as Express does. */
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
