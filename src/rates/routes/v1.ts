import { z } from 'zod';
import type { Clock } from '../../../core/domain/clock.js';
import { currencies } from '../../../core/domain/currencies.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { Cost } from '../../http/cost.js';
import { errorResponses } from '../../http/error-responses.js';
import { HttpError } from '../../http/errors.js';
import { jsonResponse } from '../../http/json-response.js';
import { type Content, JSON_TYPE, json } from '../../http/reply.js';
import { defineRoute, type RequestContext, type Route, type RouteDescription } from '../../http/route.js';
import { encodePricesByDate } from '../encoding/prices-by-date.js';
import type { RenderContext } from '../engine/answer.js';
import type { Rates } from '../engine/rates.js';
import { resolveRequest } from '../engine/request.js';
import { wholeIfShort } from '../engine/whole-if-short.js';
import { type EcbDays, ecbDaysOf } from '../v1/ecb-days.js';
import { type V1Query, v1Query } from '../v1/query.js';
import { dayReply, daysIn, intervalReply } from '../v1/replies.js';
import { v1DaySchema, v1IntervalSchema } from './schemas.js';

const PROVIDER = 'ECB';
const TAGS = ['Frankfurter-compatible'];
/** Some thirty currencies on every working day since 1999. */
const MOST_ROWS = 200_000;

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

/** The older API for the rates of the European Central Bank: `/v1/latest`, `/v1/{date}`, `/v1/{from}..{to}`. */
export function v1Routes({ rates, clock }: { rates: Rates; clock: Clock }): Route[] {
  /** A reply made from the bank's days. */
  function replyFrom(
    context: RequestContext,
    asked: { days: string; query?: V1Query; cost?: Partial<Cost> },
    contentOf: (ecb: EcbDays, today: number) => Content | Promise<Content>,
  ) {
    const { cost = {}, ...layout } = asked;
    const request = resolveRequest({ providers: [PROVIDER] }, clock);
    async function render({ knowledge }: RenderContext): Promise<Content> {
      const source = knowledge.sourceOf(request.providers);
      const ecb = ecbDaysOf(await source.ratesOn({ from: undefined, to: undefined }, context));
      const content = await contentOf(ecb, knowledge.today);
      return { ...content, headers: ['link', '</v2/rates>; rel="successor-version"'] };
    }
    return rates.answer({ request, layout }, { cost, render });
  }

  const latest = (path: string) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: v1Query,
      description: describe('The newest rates of the European Central Bank', v1DaySchema, exampleDay),
      handle: (query, context) =>
        replyFrom(context, { days: 'latest', query }, (ecb) =>
          json(dayReply(ecb, query, Number.POSITIVE_INFINITY)),
        ),
    });

  const days = defineRoute({
    method: 'get',
    path: '/v1/:days',
    limit: 'currency',
    query: v1Query,
    description: {
      ...describe(
        'The rates of a day or of an interval',
        z.union([v1DaySchema, v1IntervalSchema]),
        exampleDay,
      ),
      params: daysPath,
    },
    handle(query, context) {
      const days = context.params.days ?? '';
      const asked = daysIn(days);
      const cost = 'day' in asked ? {} : { rows: MOST_ROWS };
      return replyFrom(context, { days, query, cost }, async (ecb, today) => {
        if ('day' in asked) return json(dayReply(ecb, query, asked.day));
        if (asked.from > today)
          throw new HttpError(404, `not found: ${fromDayNumber(asked.from)} is in the future`);
        await context.yieldNow('long step');
        const interval = intervalReply(ecb, query, { from: asked.from, to: asked.to ?? today });
        return { type: JSON_TYPE, body: await wholeIfShort(encodePricesByDate(interval, context.yieldNow)) };
      });
    },
  });

  const names = defineRoute({
    method: 'get',
    path: '/v1/currencies',
    limit: 'currency',
    description: {
      summary: 'The currencies of the newest rates, with their names',
      tags: TAGS,
      responses: {
        200: {
          description: 'Names by code',
          content: {
            'application/json': {
              schema: z.record(z.string(), z.string()),
              example: { EUR: 'Euro', USD: 'US Dollar' },
            },
          },
        },
        ...errors,
      },
    },
    handle: (_, context) =>
      replyFrom(context, { days: 'currencies' }, (ecb) =>
        json(
          Object.fromEntries(
            ecb.newestCurrencies().map((code) => [code, currencies.get(code)?.name ?? code]),
          ),
        ),
      ),
  });

  return [latest('/v1/latest'), latest('/v1/current'), names, days];
}

function describe(summary: string, schema: z.ZodType, example: object): RouteDescription {
  return {
    summary,
    description:
      "In the format of Frankfurter's `/v1`, for its clients; `/v2/rates` has more. A day without rates has the last ones of the 14 days before. For one euro the rates have the bank's own digits; other amounts and bases are computed exactly and rounded once.",
    tags: TAGS,
    responses: {
      200: jsonResponse('Rates', schema, example),
      ...errors,
    },
  };
}
