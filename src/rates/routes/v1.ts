import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { namesOf } from '../../../core/domain/currencies.js';
import type { Cost } from '../../http/cost.js';
import { type Content, JSON_TYPE, json } from '../../http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../../http/route.js';
import { encodePricesByDate } from '../encoding/prices-by-date.js';
import type { RenderContext } from '../engine/answer.js';
import type { Rates } from '../engine/rates.js';
import { resolveRequest } from '../engine/request.js';
import { wholeIfShort } from '../engine/whole-if-short.js';
import type { DateSelection } from '../snapshot/rows.js';
import { type EcbDays, ecbDaysOf } from '../v1/ecb-days.js';
import { type V1Query, v1Query } from '../v1/query.js';
import { dayReply, daysFor, intervalReply, type V1Days } from '../v1/replies.js';
import { describeDays, describeLatest, describeNames } from './describe-v1.js';

const PROVIDER = 'ECB';
/** Some thirty currencies on every working day since 1999. */
const MOST_ROWS = 200_000;

const ABOUT =
  "In the format of Frankfurter's `/v1`, for its clients; `/v2/rates` has more. A day without rates has the last ones of the 14 days before. For one euro the rates have the bank's own digits; other amounts and bases are computed exactly and rounded once.";

/** The older API for the rates of the European Central Bank: `/v1/latest`, `/v1/{date}`, `/v1/{from}..{to}`. */
export function v1Routes({ rates, clock }: { rates: Rates; clock: Clock }): Route[] {
  /** A reply made from the bank's rates of some days, or the newest. */
  function replyFrom(
    context: RequestContext,
    { days, cost, ...layout }: { path: string; query?: V1Query; days?: V1Days; cost?: Partial<Cost> },
    contentOf: (ecb: EcbDays, when: DateSelection) => Content | Promise<Content>,
  ) {
    const request = resolveRequest({ providers: [PROVIDER], ...days }, clock);
    const { when } = request;
    async function render({ knowledge }: RenderContext): Promise<Content> {
      const source = knowledge.sourceOf(request.providers);
      const ecb = ecbDaysOf(await source.ratesOn({ from: undefined, to: undefined }, context));
      return { ...(await contentOf(ecb, when)), headers: ['link', '</v2/rates>; rel="successor-version"'] };
    }
    return rates.answer({ request, layout, rows: when }, { ...(cost && { cost }), render });
  }

  function ratesOf(context: RequestContext, query: V1Query, path: string, days: V1Days = {}) {
    const asked = { path, query, days, cost: 'from' in days ? { rows: MOST_ROWS } : {} };
    return replyFrom(context, asked, async (ecb, when) => {
      if (when.form === 'newest') return json(dayReply(ecb, query, Number.POSITIVE_INFINITY));
      if (when.form === 'date') return json(dayReply(ecb, query, when.day));
      await context.yieldNow('long step');
      const interval = intervalReply(ecb, query, when);
      return { type: JSON_TYPE, body: await wholeIfShort(encodePricesByDate(interval, context.yieldNow)) };
    });
  }

  const latest = (path: string) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: v1Query,
      description: describeLatest('The newest rates of the European Central Bank', ABOUT),
      handle: (query, context) => ratesOf(context, query, 'latest'),
    });

  const days = defineRoute({
    method: 'get',
    path: '/v1/:days',
    limit: 'currency',
    query: v1Query,
    description: describeDays('The rates of a day or of an interval', ABOUT),
    handle(query, context) {
      const path = context.params.days ?? '';
      return ratesOf(context, query, path, daysFor(path, todayNumber(clock)));
    },
  });

  const names = defineRoute({
    method: 'get',
    path: '/v1/currencies',
    limit: 'currency',
    description: describeNames('The currencies of the newest rates, with their names'),
    handle: (_, context) =>
      replyFrom(context, { path: 'currencies' }, (ecb) => json(namesOf(ecb.newestCurrencies()))),
  });

  return [latest('/v1/latest'), latest('/v1/current'), names, days];
}
