import { Router } from 'express';
import { z } from 'zod';
import type { AppContext } from '../context.js';
import { answer, answerJson, JSON_TYPE } from '../http/bodies.js';
import { entityTag, type Validity } from '../http/conditional.js';
import { readQuery } from '../http/parameters.js';
import { describe } from './describe.js';
import { DOCS_CONTENT_SECURITY, docsPage } from './docs-page.js';

const CACHE_CONTROL = 'public, max-age=300';

const index = z.object({
  name: z.string(),
  documentation: z.string(),
  openapi: z.string(),
  examples: z.array(z.string()),
});

const exampleOfRoot = {
  name: 'Almanac',
  documentation: '/docs',
  openapi: '/openapi.json',
  examples: ['/v2/rates', '/v2/currencies', '/weather/search?q=Singapore', '/no'],
};

const exampleOfV2 = {
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

/** `GET /`, `GET /v2`, `GET /openapi.json` and `GET /docs`. */
export function discoveryRoutes({ document }: Pick<AppContext, 'document'>): Router {
  const router = Router();
  const indexes = [
    { path: '/', summary: 'What there is', body: exampleOfRoot },
    { path: '/v2', summary: 'What the currency API has', body: exampleOfV2 },
  ];
  for (const { path, summary, body } of indexes) {
    document.registerPath({
      method: 'get',
      path,
      summary,
      tags: ['Discovery'],
      responses: {
        200: { description: 'An index', content: { 'application/json': { schema: index, example: body } } },
      },
    });
    const validity = { tag: entityTag(path, JSON.stringify(body)), cacheControl: CACHE_CONTROL };
    router.get(path, async (request, response) => {
      readQuery(request, z.object({}));
      await answerJson(request, response, validity, () => body);
    });
  }

  document.registerPath({
    method: 'get',
    path: '/openapi.json',
    summary: 'This description',
    tags: ['Discovery'],
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
  });
  document.registerPath({
    method: 'get',
    path: '/docs',
    summary: 'This description, for people',
    tags: ['Discovery'],
    responses: {
      200: {
        description: 'A page',
        content: { 'text/html': { schema: z.string(), example: '<!doctype html>' } },
      },
    },
  });

  const described = describedOnce(document);
  router.get('/openapi.json', async (request, response) => {
    readQuery(request, z.object({}));
    const { json } = described();
    await answer(request, response, json.validity, JSON_TYPE, () => json.body);
  });
  router.get('/docs', async (request, response) => {
    readQuery(request, z.object({}));
    const { page } = described();
    response.setHeader('content-security-policy', DOCS_CONTENT_SECURITY);
    await answer(request, response, page.validity, 'text/html; charset=utf-8', () => page.body);
  });
  return router;
}

interface Finished {
  body: Buffer;
  validity: Validity;
}

/** Made at the first request: all capabilities have registered by then. */
function describedOnce(document: AppContext['document']): () => { json: Finished; page: Finished } {
  let made: { json: Finished; page: Finished } | undefined;
  return () => {
    if (made) return made;
    const description = describe(document);
    made = { json: finished(JSON.stringify(description)), page: finished(docsPage(description)) };
    return made;
  };
}

function finished(text: string): Finished {
  return { body: Buffer.from(text), validity: { tag: entityTag(text), cacheControl: CACHE_CONTROL } };
}
