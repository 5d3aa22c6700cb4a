import { Router } from 'express';
import { z } from 'zod';
import { today } from '../../core/domain/clock.js';
import { requireCatalogue } from '../catalogue/holder.js';
import type { AppContext } from '../context.js';
import { answerJson } from '../http/bodies.js';
import { moving } from '../http/cache-control.js';
import { entityTag } from '../http/conditional.js';
import { errorResponses, TOO_MANY } from '../http/error-responses.js';
import { HttpError } from '../http/errors.js';
import { readQuery } from '../http/parameters.js';
import { exampleCurrencies, exampleCurrency } from './examples.js';
import { describeCurrency, listCurrencies } from './list.js';
import { currenciesQuery, currencyPath, currencySchema, describedCurrencySchema } from './schemas.js';

/** `GET /v2/currencies` and `GET /v2/currency/{code}`. */
export function currenciesRoutes(context: Pick<AppContext, 'catalogue' | 'clock' | 'document'>): Router {
  const { catalogue: holder, clock, document } = context;
  const router = Router();

  document.registerPath({
    method: 'get',
    path: '/v2/currencies',
    summary: 'The currencies that there are rates for',
    description:
      'Sorted by code. Current ones unless `scope=all`: not retired, and observed in the 30 days up to the newest ' +
      'observation, or pegged to one that was.',
    tags: ['Currencies'],
    request: { query: currenciesQuery },
    responses: {
      200: {
        description: 'Currencies',
        content: { 'application/json': { schema: z.array(currencySchema), example: exampleCurrencies } },
      },
      ...errorResponses({ 422: 'invalid provider: ZZZ', ...TOO_MANY, 503: 'the data is not loaded yet' }),
    },
  });
  router.get('/v2/currencies', async (request, response) => {
    const { scope, providers } = readQuery(request, currenciesQuery, { joined: ['providers'] });
    const catalogue = requireCatalogue(holder);
    const day = today(clock);
    const sources = providers?.toSorted();
    const tag = entityTag('currencies', catalogue.version, day, scope ?? '', sources?.join(',') ?? '');
    await answerJson(request, response, { tag, cacheControl: moving(clock) }, () =>
      listCurrencies(catalogue, {
        all: scope === 'all',
        today: day,
        ...(sources && { providers: sources }),
      }),
    );
  });

  document.registerPath({
    method: 'get',
    path: '/v2/currency/{code}',
    summary: 'One currency, current or not',
    tags: ['Currencies'],
    request: { params: currencyPath },
    responses: {
      200: {
        description: 'The currency',
        content: { 'application/json': { schema: describedCurrencySchema, example: exampleCurrency } },
      },
      ...errorResponses({ 404: 'no such currency: ZZZ', ...TOO_MANY, 503: 'the data is not loaded yet' }),
    },
  });
  router.get('/v2/currency/:code', async (request, response) => {
    readQuery(request, z.object({}));
    const catalogue = requireCatalogue(holder);
    const code = request.params.code.trim().toUpperCase();
    const described = describeCurrency(catalogue, code);
    if (!described) throw new HttpError(404, `no such currency: ${code}`);
    const tag = entityTag('currency', catalogue.version, code);
    await answerJson(request, response, { tag, cacheControl: moving(clock) }, () => described);
  });

  return router;
}
