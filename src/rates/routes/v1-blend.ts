import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type Content, json } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import { excerpt, excerptOfList } from '../../parameters/excerpt.js';
import { minorUnitHint } from '../../parameters/hints.js';
import type { RatesInput } from '../engine/ask.js';
import type { Ground, Knowledge } from '../engine/knowledge.js';
import { askRows, rowsByDate } from '../engine/make-rows.js';
import type { Rates } from '../engine/rates.js';
import { resolveRequest } from '../engine/request.js';
import { type V1Query, v1Query } from '../v1/query.js';
import { daysFor, notFound, refuseOwnPair, type V1Days } from '../v1/replies.js';
import { describeDays, describeLatest, describeNames } from './describe-v1.js';

const ABOUT =
  'The routes of `/v1` for the blend of all sources, so that its clients have all currencies by another base URL. An interval begins with the first day that has rates.';

/** `/v1/blend/latest`, `/v1/blend/{date}`, `/v1/blend/{from}..{to}`, `/v1/blend/currencies`. */
export function v1BlendRoutes({ rates, clock }: { rates: Rates; clock: Clock }): Route[] {
  function reply(query: V1Query, days: V1Days) {
    refuseOwnPair(query);
    const { amount, base, symbols } = query;
    if (!isCurrency(base)) throw notFound(`there is no currency ${excerpt(base)}${minorUnitHint(base)}`);
    const quotes = symbols?.filter(isCurrency);
    if (quotes?.length === 0) throw notFound(`there is no currency ${excerptOfList(symbols ?? [])}`);
    const request = resolveRequest({ base, quotes, ...days }, clock);
    const layout = { format: 'json', single: false, header: true, shape: 'v1', amount } as const;
    return askRows(rates.ask, request, layout);
  }

  const latest = (path: string) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: v1Query,
      description: describeLatest('The newest rates of the blend in the form of /v1', ABOUT),
      handle: (query) => reply(query, {}),
    });

  const days = defineRoute({
    method: 'get',
    path: '/v1/blend/:days',
    limit: 'currency',
    query: v1Query,
    description: describeDays('The blend of a day or of an interval in the form of /v1', ABOUT),
    handle: (query, { params }) => reply(query, daysFor(params.days ?? '', todayNumber(clock))),
  });

  const names = defineRoute({
    method: 'get',
    path: '/v1/blend/currencies',
    limit: 'currency',
    description: describeNames('The currencies of the newest blended rates, with their names'),
    handle() {
      const request = resolveRequest({}, clock);
      return rates.ask('currency-names', { request, layout: { form: 'names' }, rows: request.when });
    },
  });

  return [latest('/v1/blend/latest'), latest('/v1/blend/current'), names, days];
}

/** Makes the body of `/v1/blend/currencies`. */
export async function makeCurrencyNames(
  { request }: RatesInput,
  { sourceOf }: Knowledge,
  ground: Ground,
): Promise<Content> {
  const dates = await rowsByDate(await sourceOf(undefined).rows(request, ground));
  return json(namesOf(dates.flatMap(({ rows }) => rows.map(({ quote }) => quote)).sort()));
}
