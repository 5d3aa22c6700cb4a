import * as z from 'zod';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { defineRoute, type Route, type RouteDescription } from '../../http/route.js';
import {
  errorResponses,
  errorSchema,
  jsonContent,
  jsonResponse,
  LOADING,
  TOO_MANY,
} from '../../openapi/responses.js';
import type { Ask } from '../engine/ask.js';
import { type V1Query, v1Query } from '../v1/query.js';
import { daysFor, type V1Days, v1ErrorBody } from '../v1/replies.js';
import { v1DaySchema, v1IntervalSchema } from './schemas.js';

const TAGS = ['Frankfurter-compatible'];

const daysPath = z.object({
  days: z.string().meta({
    description: 'A date, or a range: two dates separated by `..`, the second of which may be omitted',
    examples: ['2026-03-02..2026-03-06'],
  }),
});

const exampleDay = { amount: 1, base: 'EUR', date: '2026-03-20', rates: { GBP: 0.8673, USD: 1.1546 } };
const names = jsonResponse('Names by code', z.record(z.string(), z.string()), {
  EUR: 'Euro',
  USD: 'US Dollar',
});
const MESSAGES = {
  404: 'not found: the ECB has no rates for XYZ on 2026-04-16',
  422: 'invalid amount: -1 (write a number above 0)',
  ...TOO_MANY,
  503: LOADING,
};
const errors = errorResponses(MESSAGES, (error) => jsonContent(errorSchema, v1ErrorBody(error)));

interface RatesInForm {
  path: string;
  about: string;
  summaries: { newest: string; days: string; names: string };
  reply(query: V1Query, days: V1Days): Asked;
  replyNames(): Asked;
  clock: Clock;
}

type Asked = ReturnType<Ask>;

/** Creates the routes below a path for the newest rates, for a day or an interval, and for currencies by code. */
export function routesInForm({ path, about, summaries, reply, replyNames, clock }: RatesInForm): Route[] {
  const inForm = (name: string, description: RouteDescription, handle: Route<V1Query>['handle']) =>
    defineRoute({
      path: `${path}/${name}`,
      limit: 'currency',
      query: v1Query,
      description: { description: about, tags: TAGS, ...description },
      handle,
    });
  const ofNewest = { summary: summaries.newest, responses: responsesOf(v1DaySchema) };
  const ofDays = {
    summary: summaries.days,
    responses: responsesOf(z.union([v1DaySchema, v1IntervalSchema])),
    params: daysPath,
  };
  return [
    inForm('latest', ofNewest, (query) => reply(query, {})),
    inForm('current', ofNewest, (query) => reply(query, {})),
    defineRoute({
      path: `${path}/currencies`,
      limit: 'currency',
      description: { summary: summaries.names, tags: TAGS, responses: { 200: names, ...errors } },
      handle: replyNames,
    }),
    inForm(':days', ofDays, (query, { params }) =>
      reply(query, daysFor(params.days ?? '', todayNumber(clock))),
    ),
  ];
}

function responsesOf(schema: z.ZodType) {
  return { 200: jsonResponse('Rates', schema, exampleDay), ...errors };
}
