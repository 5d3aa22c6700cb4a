import { z } from 'zod';
import { movedTo } from './reply.js';
import { defineRoute, type Route } from './route.js';

/**
 * A path that is easily taken for another, with the same parameters as that: clients are sent there with their query, for
 * good.
 */
export function movedRoute(path: string, to: string): Route {
  return defineRoute({
    method: 'get',
    path,
    limit: 'currency',
    query: { schema: z.object({}), read: (target) => target },
    handle(target, { params }) {
      const there = to.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
      const query = target.indexOf('?');
      return movedTo(query < 0 ? there : there + target.slice(query));
    },
  });
}
