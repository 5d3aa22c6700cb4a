import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import { errorResponses } from '../http/error-responses.js';
import { strictQuery } from '../http/query.js';
import { JSON_TYPE } from '../http/reply.js';
import { entityTag, moving } from '../http/representation.js';
import { defineRoute, type Route } from '../http/route.js';
import { exampleProviders } from './examples.js';
import { listProviders } from './list.js';
import { providerSchema } from './schemas.js';

const MINUTE_MS = 60_000;

interface ProvidersDependencies {
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

/** `GET /v2/providers`. */
export function providersRoutes({ catalogue: holder, clock }: ProvidersDependencies): Route[] {
  const list = memoizedList();
  return [
    defineRoute({
      method: 'get',
      path: '/v2/providers',
      limit: 'currency',
      query: strictQuery(z.object({})),
      description: {
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
      },
      handle() {
        const { body, tag } = list(requireCatalogue(holder), clock());
        return { validity: { tag, cacheControl: moving(clock) }, content: { type: JSON_TYPE, body } };
      },
    }),
  ];
}

/**
 * Makes the body once for each catalogue and minute. Missed publishes change with the clock, and attempts without
 * a data version: so the tag is that of the body itself.
 */
function memoizedList(): (catalogue: Catalogue, now: Date) => { body: Buffer; tag: string } {
  let last: { of: Catalogue; minute: number; body: Buffer; tag: string } | undefined;
  return (catalogue, now) => {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (last?.of === catalogue && last.minute === minute) return last;
    const text = JSON.stringify(listProviders(catalogue, now));
    last = { of: catalogue, minute, body: Buffer.from(text), tag: entityTag('providers', text) };
    return last;
  };
}
