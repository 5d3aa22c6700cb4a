import type { IncomingMessage } from 'node:http';

const labels = new WeakMap<IncomingMessage, string>();

/** What no route took: a path of the client's choosing must never become a label. */
const UNMATCHED = 'unmatched';

/** Names the route of a request that another application answers for us. */
export function labelRoute(request: IncomingMessage, route: string): void {
  labels.set(request, route);
}

/** The template of the route that took a request, such as `/v2/rate/:base/:quote`. */
export function routeLabel(request: IncomingMessage): string {
  const { route } = request as { route?: { path?: unknown } };
  return labels.get(request) ?? (typeof route?.path === 'string' ? route.path : UNMATCHED);
}
