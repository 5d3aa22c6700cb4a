import { Router } from 'express';
import { z } from 'zod';
import { requireCatalogue } from '../catalogue/holder.js';
import type { AppContext } from '../context.js';
import { answer, JSON_TYPE } from '../http/bodies.js';
import { moving } from '../http/cache-control.js';
import { entityTag } from '../http/conditional.js';
import { errorResponses } from '../http/error-responses.js';
import { readQuery } from '../http/parameters.js';
import { exampleProviders } from './examples.js';
import { listProviders } from './list.js';
import { providerSchema } from './schemas.js';

/** `GET /v2/providers`. */
export function providersRoutes(context: Pick<AppContext, 'catalogue' | 'clock' | 'document'>): Router {
  const { catalogue: holder, clock, document } = context;
  const router = Router();

  document.registerPath({
    method: 'get',
    path: '/v2/providers',
    summary: 'The sources of the rates',
    description: 'All of them, sorted by key, also those that nothing has arrived from yet.',
    tags: ['Providers'],
    responses: {
      200: {
        description: 'Sources',
        content: { 'application/json': { schema: z.array(providerSchema), example: exampleProviders } },
      },
      ...errorResponses({ 503: 'the data is not loaded yet' }),
    },
  });
  router.get('/v2/providers', async (request, response) => {
    readQuery(request, z.object({}));
    // Missed publishes change with the clock and attempts without a data version: the body itself is the tag.
    const body = Buffer.from(JSON.stringify(listProviders(requireCatalogue(holder), clock())));
    const validity = { tag: entityTag('providers', body.toString()), cacheControl: moving(clock) };
    await answer(request, response, validity, JSON_TYPE, () => body);
  });

  return router;
}
