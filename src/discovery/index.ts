import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { Router } from 'express';
import { z } from 'zod';
import type { AppContext } from '../context.js';
import { answerJson } from '../http/bodies.js';
import { entityTag } from '../http/conditional.js';
import { readQuery } from '../http/parameters.js';

const VERSION = '2';
const CACHE_CONTROL = 'public, max-age=300';

const index = z.object({
  name: z.string(),
  documentation: z.string(),
  examples: z.array(z.string()),
});

const exampleOfRoot = {
  name: 'Almanac',
  documentation: '/openapi.json',
  examples: ['/v2/rates', '/v2/currencies', '/weather/search?q=Singapore', '/no'],
};

const exampleOfV2 = {
  name: 'Almanac currency API',
  documentation: '/openapi.json',
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

/** `GET /`, `GET /v2` and `GET /openapi.json`. */
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
            example: { openapi: '3.1.0', info: { title: 'Almanac', version: VERSION } },
          },
        },
      },
    },
  });
  // Described once all capabilities have registered, which is at the first request at the latest.
  let described: { body: object; tag: string } | undefined;
  router.get('/openapi.json', async (request, response) => {
    readQuery(request, z.object({}));
    described ??= describe(document);
    const { body, tag } = described;
    await answerJson(request, response, { tag, cacheControl: CACHE_CONTROL }, () => body);
  });
  return router;
}

function describe(document: AppContext['document']): { body: object; tag: string } {
  const body = new OpenApiGeneratorV31(document.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version: VERSION,
      description:
        'Exchange rates blended from 84 official sources, and everyday look-ups. Every route is read by GET; ' +
        'HEAD and OPTIONS are answered too. Parameters that are not listed are refused.',
    },
    servers: [{ url: '/' }],
  });
  return { body, tag: entityTag('openapi', JSON.stringify(body)) };
}
