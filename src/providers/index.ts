import { Router } from 'express';
import { z } from 'zod';
import type { Catalogue } from '../catalogue/catalogue.js';
import { requireCatalogue } from '../catalogue/holder.js';
import type { AppContext } from '../context.js';
import { answer, JSON_TYPE } from '../http/bodies.js';
import { moving } from '../http/cache-control.js';
import { entityTag } from '../http/conditional.js';
import { errorResponses, TOO_MANY } from '../http/error-responses.js';
import { readQuery } from '../http/parameters.js';
import { exampleProviders } from './examples.js';
import { listProviders } from './list.js';
import { providerSchema } from './schemas.js';

const MINUTE_MS = 60_000;

/** `GET /v2/providers`. */
export function providersRoutes(context: Pick<AppContext, 'catalogue' | 'clock' | 'document'>): Router {
  const { catalogue: holder, clock, document } = context;
  const router = Router();
  const listing = keptListing();

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
      ...errorResponses({ ...TOO_MANY, 503: 'the data is not loaded yet' }),
    },
  });
  router.get('/v2/providers', async (request, response) => {
    readQuery(request, z.object({}));
    const { body, tag } = listing(requireCatalogue(holder), clock());
    await answer(request, response, { tag, cacheControl: moving(clock) }, JSON_TYPE, () => body);
  });

  return router;
}

/**
 * Makes the body once for each catalogue and minute. Missed publishes change with the clock, and attempts without
 * a data version: so the tag is that of the body itself.
 */
function keptListing(): (catalogue: Catalogue, now: Date) => { body: Buffer; tag: string } {
  let kept: { of: Catalogue; minute: number; body: Buffer; tag: string } | undefined;
  return (catalogue, now) => {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (kept?.of === catalogue && kept.minute === minute) return kept;
    const text = JSON.stringify(listProviders(catalogue, now));
    kept = { of: catalogue, minute, body: Buffer.from(text), tag: entityTag('providers', text) };
    return kept;
  };
}
