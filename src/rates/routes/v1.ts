import { z } from 'zod';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { currencies } from '../../../core/domain/currencies.js';
import { errorResponses } from '../../http/error-responses.js';
import { HttpError } from '../../http/errors.js';
import { type Content, JSON_TYPE, json, type Reply } from '../../http/reply.js';
import { moving } from '../../http/representation.js';
import { defineRoute, type RequestContext, type Route, type RouteDescription } from '../../http/route.js';
import { type EcbDays, ecbDaysOf } from '../v1/ecb-days.js';
import { type V1Query, v1Query } from '../v1/query.js';
import { dayReply, daysIn, intervalReply } from '../v1/replies.js';
import { ratesTag } from './method.js';
import type { RatesDependencies } from './reply.js';
import { encodeInterval } from './v1-interval.js';
import { wholeIfShort } from './whole-if-short.js';
import { withSnapshot } from './with-snapshot.js';

const PROVIDER = 'ECB';
const TAGS = ['Rates as before'];

const prices = z.record(z.string(), z.number());
const dayBody = z
  .object({ amount: z.number(), base: z.string(), date: z.iso.date(), rates: prices })
  .meta({ id: 'RatesOfDay' });
const intervalBody = z
  .object({
    amount: z.number(),
    base: z.string(),
    start_date: z.iso.date(),
    end_date: z.iso.date(),
    rates: z.record(z.string(), prices),
  })
  .meta({ id: 'RatesOfInterval' });
const daysPath = z.object({
  days: z.string().meta({
    description: 'A date, or two with two points between, of which the second may be missing',
    examples: ['2026-03-02..2026-03-06'],
  }),
});

const exampleDay = { amount: 1, base: 'EUR', date: '2026-03-20', rates: { GBP: 0.8673, USD: 1.1546 } };
const errors = errorResponses({
  404: 'not found',
  422: 'invalid amount: -1',
  503: 'the first rates are being loaded',
});

/** The older API for the rates of the European Central Bank: `/v1/latest`, `/v1/{date}`, `/v1/{from}..{to}`. */
export function v1Routes(dependencies: RatesDependencies & { clock: Clock }): Route[] {
  const { snapshot: holder, raw, clock } = dependencies;

  /** A reply made from the bank's days. */
  function replyFrom(
    context: RequestContext,
    key: string,
    contentOf: (ecb: EcbDays, today: number) => Content | Promise<Content>,
  ): Promise<Reply> {
    return withSnapshot(holder, async (snapshot) => {
      const today = todayNumber(clock);
      const ecb = ecbDaysOf(await raw.ofProvider(snapshot, PROVIDER, context));
      const validity = {
        tag: ratesTag('v1', snapshot.version, key, today),
        cacheControl: () => moving(clock),
      };
      const headers = ['link', '</v2/rates>; rel="successor-version"'];
      return { validity, headers, dataVersion: snapshot.version, content: await contentOf(ecb, today) };
    });
  }

  const latest = (path: string) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: v1Query,
      description: describe('The newest rates of the European Central Bank', dayBody, exampleDay),
      handle: (query, context) =>
        replyFrom(context, keyOf('latest', query), (ecb) =>
          json(dayReply(ecb, query, Number.POSITIVE_INFINITY)),
        ),
    });

  const days = defineRoute({
    method: 'get',
    path: '/v1/:days',
    limit: 'currency',
    query: v1Query,
    description: {
      ...describe('The rates of a day or of an interval', z.union([dayBody, intervalBody]), exampleDay),
      params: daysPath,
    },
    handle(query, context) {
      const text = context.params.days ?? '';
      const asked = daysIn(text);
      return replyFrom(context, keyOf(text, query), async (ecb, today) => {
        if ('day' in asked) return json(dayReply(ecb, query, asked.day));
        if (asked.from > today) throw new HttpError(404, 'not found');
        await context.yieldNow('long step');
        const interval = intervalReply(ecb, query, { from: asked.from, to: asked.to ?? today });
        return { type: JSON_TYPE, body: await wholeIfShort(encodeInterval(interval, context.yieldNow)) };
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
      replyFrom(context, 'currencies', (ecb) =>
        json(
          Object.fromEntries(
            ecb.newestCurrencies().map((code) => [code, currencies.get(code)?.name ?? code]),
          ),
        ),
      ),
  });

  return [latest('/v1/latest'), latest('/v1/current'), names, days];
}

function keyOf(days: string, { amount, base, symbols }: V1Query): string {
  return [days, amount, base, symbols ?? '*'].join(' ');
}

function describe(summary: string, schema: z.ZodType, example: object): RouteDescription {
  return {
    summary,
    description:
      "As clients of older rate services expect it; `/v2/rates` has more. A day without publication has the rates of the last one in the 14 days before. For one euro the rates are the bank's own digits; other amounts and bases are computed exactly and rounded once.",
    tags: TAGS,
    responses: {
      200: { description: 'Rates', content: { 'application/json': { schema, example } } },
      ...errors,
    },
  };
}
