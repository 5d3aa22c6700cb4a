import type { Clock } from '../../../core/domain/clock.js';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type Content, json } from '../../http/reply.js';
import type { Route } from '../../http/route.js';
import { excerpt, excerptOfList } from '../../parameters/excerpt.js';
import { minorUnitHint } from '../../parameters/hints.js';
import type { Ground, Knowledge, RatesInput } from '../engine/knowledge.js';
import { askRows, rowsByDate } from '../engine/make-rows.js';
import { resolveRequest } from '../engine/request.js';
import type { Rates } from '../rates.js';
import type { V1Query } from '../v1/query.js';
import { notFound, refuseOwnPair, type V1Days } from '../v1/replies.js';
import { routesInForm } from './v1-form.js';

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

  return routesInForm({
    path: '/v1/blend',
    about: ABOUT,
    summaries: {
      newest: 'The newest rates of the blend in the form of /v1',
      days: 'The blend of a day or of an interval in the form of /v1',
      names: 'The currencies of the newest blended rates, with their names',
    },
    reply,
    replyNames() {
      const request = resolveRequest({}, clock);
      return rates.ask('currency-names', { request, layout: { form: 'names' }, rows: request.when });
    },
    clock,
  });
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
