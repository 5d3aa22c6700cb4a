import type { Clock } from '../../../core/domain/clock.js';
import { namesOf } from '../../../core/domain/currencies.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { Cost } from '../../http/cost.js';
import { HttpError } from '../../http/errors.js';
import { type Content, JSON_TYPE, json } from '../../http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../../http/route.js';
import { encodePricesByDate } from '../encoding/prices-by-date.js';
import type { RenderContext } from '../engine/answer.js';
import type { Rates } from '../engine/rates.js';
import { resolveRequest } from '../engine/request.js';
import { wholeIfShort } from '../engine/whole-if-short.js';
import { type EcbDays, ecbDaysOf } from '../v1/ecb-days.js';
import { type V1Query, v1Query } from '../v1/query.js';
import { dayReply, daysIn, intervalReply } from '../v1/replies.js';
import { describeDays, describeLatest, describeNames } from './describe-v1.js';

const PROVIDER = 'ECB';
/** Some thirty currencies on every working day since 1999. */
const MOST_ROWS = 200_000;

const ABOUT =
  "In the format of Frankfurter's `/v1`, for its clients; `/v2/rates` has more. A day without rates has the last ones of the 14 days before. For one euro the rates have the bank's own digits; other amounts and bases are computed exactly and rounded once.";

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
    return rates.answer({ request, layout, rows: 'all' }, { cost, render });
  }

  const latest = (path: string) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: v1Query,
      description: describeLatest('The newest rates of the European Central Bank', ABOUT),
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
    description: describeDays('The rates of a day or of an interval', ABOUT),
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
    description: describeNames('The currencies of the newest rates, with their names'),
    handle: (_, context) =>
      replyFrom(context, { days: 'currencies' }, (ecb) => json(namesOf(ecb.newestCurrencies()))),
  });

  return [latest('/v1/latest'), latest('/v1/current'), names, days];
}
