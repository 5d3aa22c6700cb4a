import * as z from 'zod';
import { type Clock, fromDayNumber } from '../../../core/domain/dates.js';
import { type Content, json } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import { errorResponses, jsonResponse, LOADING, UNKNOWN_CURRENCY } from '../../openapi/responses.js';
import { strictQuery } from '../../parameters/query.js';
import { coverageQuery, JOINED } from '../engine/parameters.js';
import type { RatesContext, RatesInput, RatesView } from '../engine/rates-view.js';
import { resolveRequest } from '../engine/request.js';
import type { Rates } from '../rates.js';
import { pairSpan } from '../snapshot/pair.js';

const coverage = z
  .object({
    base: z.string().meta({ example: 'CHF' }),
    quotes: z
      .array(z.string())
      .nullable()
      .meta({ example: ['SEK'] }),
    providers: z.array(z.string()).nullable().meta({ example: null }),
    start_date: z.iso.date().nullable().meta({ example: '1977-01-07' }),
    end_date: z.iso.date().nullable().meta({ example: '2026-03-20' }),
  })
  .meta({ id: 'Coverage' });

type Coverage = z.output<typeof coverage>;

export function coverageRoutes({ rates, clock }: { rates: Rates; clock: Clock }): Route[] {
  return [
    defineRoute({
      path: '/v2/coverage',
      limit: 'currency',
      query: strictQuery(coverageQuery, JOINED),
      description: {
        summary: 'First and last day with rates',
        description:
          'The first and last day on which `/v2/rates` with the same parameters has a row other than that of the base; null if there is none.',
        tags: ['Rates'],
        responses: {
          200: jsonResponse('The days', coverage),
          ...errorResponses({ 422: UNKNOWN_CURRENCY, 503: LOADING }),
        },
      },
      handle(query) {
        const request = resolveRequest(query, clock);
        const { quotes = null, providers = request.providers ?? null } = query;
        const rawDays = (providers ?? []).length > 1 ? Number.POSITIVE_INFINITY : 0;
        // The lists are shown as given.
        const layout = { form: 'coverage', quotes, providers };
        return rates.ask('coverage', { request, layout, rows: 'all' }, { cost: { rows: 1, rawDays } });
      },
    }),
  ];
}

export async function makeCoverage(
  { request, layout: { quotes, providers } }: RatesInput<Pick<Coverage, 'quotes' | 'providers'>>,
  { sourceOf }: RatesView,
  context: RatesContext,
): Promise<Content> {
  const { base } = request;
  const days = { from: Number.NEGATIVE_INFINITY, to: undefined };
  const { columnsFor, ownFor } = await sourceOf(request.providers).ratesOn(days, context);
  const [start, end] = pairSpan(columnsFor(base), { base, quotes: request.quotes, own: ownFor(base) });
  const [start_date, end_date] = [start, end].map((day) => (day === undefined ? null : fromDayNumber(day)));
  return json({ base, quotes, providers, start_date, end_date });
}
