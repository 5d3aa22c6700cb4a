import type { IncomingHttpHeaders } from 'node:http';
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import type { z } from 'zod';
import type { WaitBudget } from '../../core/concurrency/semaphore.js';
import type { LimitName } from './limits.js';
import type { QueryReader } from './query.js';
import type { Reply, Task } from './reply.js';

/** What a handler gets of the request besides its query. */
export interface RequestContext {
  /** The request id, as in the log and in `x-request-id`. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** The decoded values of the parameters in the route's template. */
  readonly params: Readonly<Record<string, string>>;
  /** The parsed body, if the route accepts one and the client sent it. */
  readonly body: unknown;
  /** Who counts as one client, as its address tells; see clientKey. */
  readonly client: string;
  /** Whether the client uses TLS, according to the trusted proxy. */
  readonly isSecure: boolean;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** How long it may still wait in queues before its response begins. */
  readonly waitBudget: WaitBudget;
  /** Calls back once the response has ended or the client has disconnected. */
  whenOver(callback: () => void): void;
}

/** How a route is described in the OpenAPI document, beside what its schemas say. */
export type RouteDescription = Pick<
  RouteConfig,
  'summary' | 'description' | 'tags' | 'responses' | 'security'
> & {
  params?: z.ZodObject;
  body?: z.ZodType;
  bodyExample?: unknown;
};

/** The largest body of most routes, in bytes. */
export const LARGEST_BODY = 4_096;

/** One route of the service. It has no access to the socket: the writer sends the reply that it returns. */
export interface Route<Query = unknown> {
  readonly method: 'get' | 'post';
  /** In the syntax of Express, such as `/v2/currency/:code`. Identifies the route in logs and metrics. */
  readonly path: string;
  /** The limit that counts its requests; none where absent. */
  readonly limit?: LimitName;
  /** Whether it is served also while too many requests are under way, as health checks are. */
  readonly isEssential?: true;
  /** Parses the query; absent if the route ignores it. */
  readonly query?: QueryReader<Query>;
  /** How the body is parsed: `text` leaves that to the handler. Absent if the route accepts none. */
  readonly body?: 'json' | 'form' | 'text';
  /** Largest body that it takes, in bytes; LARGEST_BODY where absent. */
  readonly largestBody?: number;
  /** Throws an HttpError for a client that may not use the route. Runs before the body is read. */
  readonly guard?: (context: RequestContext) => void | Promise<void>;
  /** Absent for pages that are not part of the API. */
  readonly description?: RouteDescription;
  /**
   * The reply to a request, or what it is to be made of. Throws an HttpError, which becomes the response, and DataOutdated
   * where the request has to be handled again with newer data.
   */
  handle(query: Query, context: RequestContext): Reply | Task | Promise<Reply | Task>;
}

/** A route whose handler gets what its own query reader returns. */
export function defineRoute<Query>(route: Route<Query>): Route {
  return route as Route;
}

/** The methods of a path, `OPTIONS` included; none if no route has the path. */
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
