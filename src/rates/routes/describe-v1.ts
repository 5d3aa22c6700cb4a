import { z } from 'zod';
import type { RouteDescription } from '../../http/route.js';
import { errorResponses, jsonResponse } from '../../openapi/responses.js';
import { v1DaySchema, v1IntervalSchema } from './schemas.js';

const TAGS = ['Frankfurter-compatible'];

const daysPath = z.object({
  days: z.string().meta({
    description: 'A date, or a range as two dates with `..` between; the second may be missing',
    examples: ['2026-03-02..2026-03-06'],
  }),
});

const exampleDay = { amount: 1, base: 'EUR', date: '2026-03-20', rates: { GBP: 0.8673, USD: 1.1546 } };
const errors = errorResponses({
  404: 'not found: the ECB has no rates of XYZ on 2026-03-18',
  422: 'invalid amount: -1 (write a number above 0)',
  503: 'the first rates are being loaded',
});

/** Describes a route of the newest rates in the form of `/v1`. */
export function describeLatest(summary: string, description: string): RouteDescription {
  return describe(summary, description, v1DaySchema);
}

/** Describes a route of a day or an interval. */
export function describeDays(summary: string, description: string): RouteDescription {
  return { ...describe(summary, description, z.union([v1DaySchema, v1IntervalSchema])), params: daysPath };
}

/** Describes a route of currencies by code. */
export function describeNames(summary: string): RouteDescription {
  const names = jsonResponse('Names by code', z.record(z.string(), z.string()), {
    EUR: 'Euro',
    USD: 'US Dollar',
  });
  return { summary, tags: TAGS, responses: { 200: names, ...errors } };
}

function describe(summary: string, description: string, schema: z.ZodType): RouteDescription {
  return {
    summary,
    description,
    tags: TAGS,
    responses: { 200: jsonResponse('Rates', schema, exampleDay), ...errors },
  };
}
