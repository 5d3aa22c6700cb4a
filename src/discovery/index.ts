import { z } from 'zod';
import { type ApiDocument, createApiDocument } from '../http/openapi.js';
import { strictQuery } from '../http/query.js';
import { HTML_TYPE, JSON_TYPE, type Reply } from '../http/reply.js';
import { entityTag } from '../http/representation.js';
import { defineRoute, type Route } from '../http/route.js';
import { docsPage, PAGE_POLICY } from './docs-page.js';

const CACHE_CONTROL = 'public, max-age=300';
const TAGS = ['Discovery'];
const noQuery = strictQuery(z.object({}));

const index = z.object({
  name: z.string(),
  documentation: z.string(),
  openapi: z.string(),
  examples: z.array(z.string()),
});

const rootIndex = {
  name: 'Almanac',
  documentation: '/docs',
  openapi: '/openapi.json',
  examples: ['/v2/rates', '/v2/currencies', '/weather/search?q=Singapore', '/no'],
};

const currencyIndex = {
  name: 'Almanac currency API',
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
  ],
};

/**
 * `GET /`, `GET /v2`, `GET /openapi.json` and `GET /docs`. `routes` gives all routes of the service; it is called at the
 * first request, when all are known.
 */
export function discoveryRoutes(routes: () => readonly Route[]): Route[] {
  const document = once(() => createApiDocument(routes()));
  return [
    indexRoute('/', 'Index of the API', rootIndex),
    indexRoute('/v2', 'What the currency API has', currencyIndex),
    documentRoute(document),
    docsRoute(document),
  ];
}

function indexRoute(path: string, summary: string, body: z.infer<typeof index>): Route {
  const reply = replyWith(JSON.stringify(body), { type: JSON_TYPE });
  return defineRoute({
    method: 'get',
    path,
    ...(path === '/v2' && { limit: 'currency' as const }),
    query: noQuery,
    description: {
      summary,
      tags: TAGS,
      responses: {
        200: { description: 'An index', content: { 'application/json': { schema: index, example: body } } },
      },
    },
    handle: () => reply,
  });
}

function documentRoute(document: () => ApiDocument): Route {
  const reply = once(() => replyWith(JSON.stringify(document()), { type: JSON_TYPE }));
  return defineRoute({
    method: 'get',
    path: '/openapi.json',
    query: noQuery,
    description: {
      summary: 'This description',
      tags: TAGS,
      responses: {
        200: {
          description: 'OpenAPI 3.1',
          content: {
            'application/json': {
              schema: z.object({ openapi: z.string() }).loose(),
              example: { openapi: '3.1.0', info: { title: 'Almanac', version: '2' } },
            },
          },
        },
      },
    },
    handle: reply,
  });
}

function docsRoute(document: () => ApiDocument): Route {
  const reply = once(() => replyWith(docsPage(document()), { type: HTML_TYPE, securityPolicy: PAGE_POLICY }));
  return defineRoute({
    method: 'get',
    path: '/docs',
    query: noQuery,
    description: {
      summary: 'This description, for people',
      tags: TAGS,
      responses: {
        200: {
          description: 'A page',
          content: { 'text/html': { schema: z.string(), example: '<!doctype html>' } },
        },
      },
    },
    handle: reply,
  });
}

function replyWith(text: string, content: { type: string; securityPolicy?: string }): Reply {
  return {
    validity: { tag: entityTag(text), cacheControl: CACHE_CONTROL },
    content: { ...content, body: Buffer.from(text) },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
