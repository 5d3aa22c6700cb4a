import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import { errorResponses } from '../http/error-responses.js';
import { HttpError } from '../http/errors.js';
import { excerpt } from '../http/excerpt.js';
import { strictQuery } from '../http/query.js';
import { JSON_TYPE, json } from '../http/reply.js';
import { entityTag, moving } from '../http/representation.js';
import { defineRoute, type Route } from '../http/route.js';
import { exampleProviders } from './examples.js';
import { describeProvider, listProviders } from './list.js';
import { providerPath, providerSchema } from './schemas.js';

const MINUTE_MS = 60_000;

interface ProvidersDependencies {
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

/** `GET /v2/providers` and `GET /v2/providers/{key}`. */
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
    defineRoute({
      method: 'get',
      path: '/v2/providers/:key',
      limit: 'currency',
      query: strictQuery(z.object({})),
      description: {
        summary: 'One source of the rates',
        tags: ['Providers'],
        params: providerPath,
        responses: {
          200: {
            description: 'The source',
            content: { 'application/json': { schema: providerSchema, example: exampleProviders[0] } },
          },
          ...errorResponses({ 404: 'no such provider: ZZZ', 503: 'the data is not loaded yet' }),
        },
      },
      handle(_query, { params: { key = '' } }) {
        const described = describeProvider(requireCatalogue(holder), key, clock());
        if (!described) throw new HttpError(404, `no such provider: ${excerpt(key.trim().toUpperCase())}`);
        const content = json(described);
        const tag = entityTag('provider', String(content.body));
        return { validity: { tag, cacheControl: moving(clock) }, content };
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
