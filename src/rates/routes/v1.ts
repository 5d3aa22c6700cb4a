import type { Clock } from '../../../core/domain/clock.js';
import { namesOf } from '../../../core/domain/currencies.js';
import { type Content, JSON_TYPE, json } from '../../http/reply.js';
import type { Route } from '../../http/route.js';
import { encodePricesByDate } from '../encoding/prices-by-date.js';
import type { Ground, Knowledge, RatesInput } from '../engine/knowledge.js';
import { resolveRequest } from '../engine/request.js';
import type { Rates } from '../rates.js';
import type { V1Query } from '../v1/query.js';
import { dayReply, EURO, intervalReply, newestCurrencies, type V1Days } from '../v1/replies.js';
import { routesInForm } from './v1-form.js';

const PROVIDER = 'ECB';
/** Some thirty currencies on every working day since 1999. */
const MOST_ROWS = 200_000;

const ABOUT =
  "In the format of Frankfurter's `/v1`, for its clients; `/v2/rates` has more. A day without rates has the last ones of the 14 days before. For one euro the rates have the bank's own digits; other amounts and bases are computed exactly and rounded once.";

/** The older API for the rates of the European Central Bank: `/v1/latest`, `/v1/{date}`, `/v1/{from}..{to}`. */
export function v1Routes({ rates, clock }: { rates: Rates; clock: Clock }): Route[] {
  function ask(layout: EcbLayout, days: V1Days) {
    const request = resolveRequest({ providers: [PROVIDER], ...days }, clock);
    const cost = 'from' in days ? { rows: MOST_ROWS } : {};
    return rates.ask('ecb-rates', { request, layout, rows: request.when }, { cost });
  }

  return routesInForm({
    path: '/v1',
    about: ABOUT,
    summaries: {
      newest: 'The newest rates of the European Central Bank',
      days: 'The rates of a day or of an interval',
      names: 'The currencies of the newest rates, with their names',
    },
    reply: (query, days) => ask({ query }, days),
    replyNames: () => ask({}, {}),
    clock,
  });
}

/** The requested rates of the bank; without a query, the names of the newest currencies. */
interface EcbLayout {
  query?: V1Query;
}

const HEADERS = ['link', '</v2/rates>; rel="successor-version"'];

/** Makes the bodies of `/v1` from the bank's rates. */
export async function makeEcbRates(
  { request: { when, providers }, layout: { query } }: RatesInput<EcbLayout>,
  { sourceOf }: Knowledge,
  ground: Ground,
): Promise<Content> {
  const rates = await sourceOf(providers).ratesOn({ from: undefined, to: undefined }, ground);
  const ecb = rates.columnsFor(EURO);
  if (!query) return { ...json(namesOf(newestCurrencies(ecb))), headers: HEADERS };
  if (when.form === 'range') {
    const body = encodePricesByDate(intervalReply(ecb, query, when));
    return { type: JSON_TYPE, body, headers: HEADERS };
  }
  const day = when.form === 'newest' ? Number.POSITIVE_INFINITY : when.day;
  return { ...json(dayReply(ecb, query, day)), headers: HEADERS };
}
