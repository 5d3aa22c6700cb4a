import * as z from 'zod';
import { entityTag, hashedJson, prefersHtml, type Reply } from '../http/reply.js';
import { defineRoute, movedRoute, type RequestContext, type Route } from '../http/route.js';
import type { ApiDocument } from '../openapi/document.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { strictQuery } from '../parameters/query.js';

const CACHE_CONTROL = 'public, max-age=300';
const TAGS = ['API description'];
const noQuery = strictQuery(z.object({}));

const indexSchema = z.object({
  name: z.string(),
  documentation: z.string(),
  openapi: z.string(),
  examples: z.array(z.string()),
});

const index = {
  name: 'Almanac',
  documentation: '/docs',
  openapi: '/openapi.json',
  examples: [
    '/v2/rates',
    '/v2/rates?base=USD&quotes=EUR,GBP',
    '/v2/rates?from=2026-01-01&group=month',
    '/v2/rate/EUR/USD',
    '/v2/currencies',
    '/v2/currency/CHF',
    '/v2/providers',
    '/weather/search?q=Singapore',
    '/no',
  ],
};
const indexReply = hashedJson('index', index, CACHE_CONTROL);

interface HomePage {
  schema: z.ZodObject;
  /** `target` is a path and query, such as `/?base=CHF`. */
  reply(target: string, context: RequestContext): Promise<Reply>;
}

interface DiscoveryDependencies {
  /** Called at the first request, when all routes are known. */
  describeApi: () => ApiDocument;
  home: HomePage;
}

export function discoveryRoutes({ describeApi, home }: DiscoveryDependencies): Route[] {
  // Where clients of Frankfurter look for it.
  const moved = ['/v1/openapi.json', '/v2/openapi.json'].map((path) => movedRoute(path, '/openapi.json'));
  return [rootRoute(home), indexRoute, documentRoute(describeApi), ...moved, robotsRoute];
}

const INDEX_CONTENT = {
  'application/json': { schema: indexSchema, example: index },
  'text/html': { schema: z.string(), example: '<!doctype html>' },
};

function rootRoute(home: HomePage): Route {
  const reply: Reply = { ...indexReply, validity: { ...indexReply.validity, vary: ['accept'] } };
  return defineRoute({
    path: '/',
    limit: 'currency',
    // Page and index each read the target themselves: the index has no parameters.
    query: { schema: home.schema, read: (target) => target },
    description: {
      operationId: 'getIndex',
      summary: 'Index of the API, or the home page for browsers',
      tags: TAGS,
      responses: { 200: { description: 'An index, or a page', content: INDEX_CONTENT } },
    },
    async handle(target, context) {
      if (prefersHtml(context.headers.accept)) {
        const page = await home.reply(target, context);
        const { vary = [] } = page.validity;
        return { ...page, validity: { ...page.validity, vary: ['accept', ...vary] } };
      }
      noQuery.read(target);
      return reply;
    },
  });
}

const indexRoute: Route = defineRoute({
  path: '/v2',
  limit: 'currency',
  query: noQuery,
  description: {
    operationId: 'getCurrencyIndex',
    summary: 'Index of the API',
    tags: TAGS,
    responses: { 200: jsonResponse('An index', indexSchema, index) },
  },
  handle: () => indexReply,
});

function documentRoute(document: () => ApiDocument): Route {
  let made: Reply | undefined;
  return defineRoute({
    path: '/openapi.json',
    query: noQuery,
    description: {
      summary: 'The OpenAPI document',
      tags: TAGS,
      responses: {
        200: jsonResponse('OpenAPI 3.1', z.object({ openapi: z.string() }).loose(), {
          openapi: '3.1.0',
          info: { title: 'Almanac', version: '2' },
        }),
        ...errorResponses({ 422: 'unknown parameter: pretty (none are accepted here)' }),
      },
    },
    handle() {
      made ??= hashedJson('openapi', document(), CACHE_CONTROL);
      return made;
    },
  });
}

const ROBOTS = `User-agent: *
Allow: /
Disallow: /v1/
Disallow: /v2/
Disallow: /admin/
Disallow: /metrics
`;

/** `GET /robots.txt` (RFC 9309): search engines may index pages, but not responses of the API. */
const robotsRoute: Route = defineRoute({
  path: '/robots.txt',
  handle: () => ({
    validity: { tag: entityTag(ROBOTS), cacheControl: 'public, max-age=86400' },
    content: { type: 'text/plain; charset=utf-8', body: Buffer.from(ROBOTS) },
  }),
});
