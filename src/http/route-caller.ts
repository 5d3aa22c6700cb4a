import { HttpError } from './errors.js';
import type { DeferredReply, Reply } from './reply.js';
import type { RequestContext, Route } from './route.js';

/** Calls a route of this service from another one, without a connection: for pages that show what the API answers. */
export interface RouteCaller {
  /**
   * The JSON of a GET of this target, on behalf of the given request. Not to be used for long bodies: they are held in
   * memory. Throws the HttpError that a client would get.
   */
  getJson(target: string, context: RequestContext): Promise<unknown>;
}

/** `routes` gives all routes of the service; it is called with the first request, when all are known. */
export function createRouteCaller(routes: () => readonly Route[]): RouteCaller {
  let templates: { route: Route; segments: readonly string[] }[] | undefined;

  function find(path: string): { route: Route; params: Record<string, string> } {
    templates ??= routes()
      .filter(({ method }) => method === 'get')
      .map((route) => ({ route, segments: route.path.split('/') }));
    const given = path.split('/').map(decodeURIComponent);
    for (const { route, segments } of templates) {
      const params = paramsOf(segments, given);
      if (params) return { route, params };
    }
    throw new HttpError(404, 'no such route');
  }

  return {
    async getJson(target, context) {
      const { route, params } = find(target.split('?', 1)[0] ?? '');
      const reply = await route.handle(route.query?.read(target), inner(context, params));
      return JSON.parse(await textOf(reply));
    },
  };
}

/** The values of a template's parameters; undefined where the path does not match it. */
function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const value = given[at] ?? '';
    if (segment.startsWith(':') && !segment.includes('.')) params[segment.slice(1)] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

function inner(context: RequestContext, params: Record<string, string>): RequestContext {
  return {
    id: context.id,
    client: context.client,
    isSecure: context.isSecure,
    headers: { accept: 'application/json' },
    params,
    body: undefined,
    get signal() {
      return context.signal;
    },
    get yieldNow() {
      return context.yieldNow;
    },
    get waitBudget() {
      return context.waitBudget;
    },
  };
}

async function textOf(reply: Reply | DeferredReply): Promise<string> {
  const { content } = 'make' in reply ? await reply.make() : reply;
  const body = content?.body ?? '';
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString();
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
