import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type Clock, todayNumber } from '../../../core/domain/dates.js';
import { type Content, JSON_TYPE, json } from '../../http/reply.js';
import { defineRoute, type Route, type RouteDescription } from '../../http/route.js';
import {
  errorResponses,
  errorSchema,
  jsonContent,
  jsonResponse,
  LOADING,
  TOO_MANY,
} from '../../openapi/responses.js';
import { excerpt, excerptOfList } from '../../parameters/excerpt.js';
import { minorUnitHint } from '../../parameters/hints.js';
import { encodePricesByDate } from '../encoding/rates-object.js';
import type { Ask } from '../engine/ask.js';
import { askRows } from '../engine/make-rows.js';
import type { RatesContext, RatesInput, RatesView } from '../engine/rates-view.js';
import { resolveRequest } from '../engine/request.js';
import type { Rates } from '../rates.js';
import { rowsByDate } from '../snapshot/row.js';
import {
  dayReply,
  daysFor,
  EURO,
  notFound,
  pricesBetween,
  type V1Days,
  type V1Query,
  v1ErrorBody,
  v1Query,
} from '../v1/replies.js';
import { AS_OF_HEADER, header } from './describe.js';
import { v1DaySchema, v1IntervalSchema } from './schemas.js';

const PROVIDER = 'ECB';
/** Some thirty currencies on every working day since 1999. */
const MOST_ROWS = 200_000;

/** The older API for the rates of the European Central Bank: `/v1/latest`, `/v1/{date}`, `/v1/{from}..{to}`. */
const OF_ECB: Form = {
  path: '/v1',
  about:
    "The format of Frankfurter's `/v1`, for its clients; `/v2/rates` has more features. A day without rates returns the last rates of the 14 days before it. The rates for one euro have the bank's own digits; other amounts and bases are computed exactly and rounded once.",
  summaries: {
    newest: 'The latest rates of the European Central Bank',
    days: 'The rates of a day or of an interval',
    names: 'The currencies of the latest rates, with their names',
  },
  ask(query, days, { rates, clock }) {
    const request = resolveRequest({ providers: [PROVIDER], ...days }, clock);
    const cost = 'from' in days ? { rows: MOST_ROWS } : {};
    return rates.ask('ecb-rates', { request, layout: { query }, rows: request.when }, { cost });
  },
  providers: [PROVIDER],
  headers: { link: header('The route that replaces this one') },
};

const HEADERS = ['link', '</v2/rates>; rel="successor-version"'];

export async function makeEcbRates(
  { request: { when, providers }, layout: { query } }: RatesInput<{ query: V1Query }>,
  { sourceOf }: RatesView,
  context: RatesContext,
): Promise<Content> {
  const rates = await sourceOf(providers).ratesOn({ from: undefined, to: undefined }, context);
  const ecb = rates.columnsFor(EURO);
  if (when.form === 'range') {
    const { amount, base } = query;
    const body = encodePricesByDate(pricesBetween(ecb, query, when), { amount, base }, { namesDays: true });
    return { type: JSON_TYPE, body, headers: HEADERS };
  }
  const day = when.form === 'newest' ? Number.POSITIVE_INFINITY : when.day;
  return { ...json(dayReply(ecb, query, day)), headers: HEADERS };
}

const OF_BLEND: Form = {
  path: '/v1/blend',
  about:
    'The routes of `/v1` for the blend of all sources: with this base URL, clients of `/v1` get all currencies. A range begins with the first day that has rates.',
  summaries: {
    newest: 'The latest rates of the blend in the form of /v1',
    days: 'The blend of a day or of an interval in the form of /v1',
    names: 'The currencies of the latest blended rates, with their names',
  },
  ask(query, days, { rates, clock }) {
    const { amount, base, symbols } = query;
    if (!isCurrency(base)) throw notFound(`there is no currency ${excerpt(base)}${minorUnitHint(base)}`);
    const quotes = symbols?.filter(isCurrency);
    if (quotes?.length === 0) throw notFound(`there is no currency ${excerptOfList(symbols ?? [])}`);
    const request = resolveRequest({ base, quotes, ...days }, clock);
    const layout = { format: 'json', single: false, header: true, shape: 'v1', amount } as const;
    return askRows(rates.ask, request, layout);
  },
  headers: { 'x-rates-as-of': AS_OF_HEADER },
};

export async function makeCurrencyNames(
  { request }: RatesInput,
  { sourceOf }: RatesView,
  context: RatesContext,
): Promise<Content> {
  const { rows } = await sourceOf(request.providers).rows(request, context);
  const quotes = (await rowsByDate(rows)).flatMap((dated) => dated.rows.map(({ quote }) => quote));
  return { ...json(namesOf(quotes.sort())), headers: request.providers ? HEADERS : [] };
}

const TAGS = ['Frankfurter-compatible'];

const daysPath = z.object({
  days: z.string().meta({
    description: 'A date, or a range: two dates separated by `..`, the second of which may be omitted',
    examples: ['2026-03-02..2026-03-06'],
  }),
});

const exampleDay = { amount: 1, base: 'EUR', date: '2026-03-20', rates: { GBP: 0.8673, USD: 1.1546 } };
const exampleNames = { EUR: 'Euro', USD: 'US Dollar' };
const MESSAGES = {
  404: 'not found: the ECB has no rates for XYZ on 2026-04-16',
  422: 'invalid amount: -1 (write a number from 1e-30 to 1e30)',
  ...TOO_MANY,
  503: LOADING,
};
const errors = errorResponses(MESSAGES, (error) => jsonContent(errorSchema, v1ErrorBody(error)));

interface Dependencies {
  rates: Rates;
  clock: Clock;
}

/** Routes in the form of `/v1`. */
interface Form {
  path: string;
  about: string;
  summaries: { newest: string; days: string; names: string };
  ask(query: V1Query, days: V1Days, dependencies: Dependencies): ReturnType<Ask>;
  /** Undefined for the blend. */
  providers?: string[];
  headers: NonNullable<ResponseConfig['headers']>;
}

/** The routes for the newest rates, for a day or an interval, and for currencies by code, of the bank and of the blend. */
export function v1Routes(dependencies: Dependencies): Route[] {
  return [OF_ECB, OF_BLEND].flatMap((form) => routesInForm(form, dependencies));
}

function routesInForm(form: Form, dependencies: Dependencies): Route[] {
  const { path, about, summaries, providers, headers } = form;
  const { rates, clock } = dependencies;
  const responsesOf = (description: string, schema: z.ZodType, example: object) => {
    return { 200: { ...jsonResponse(description, schema, example), headers }, ...errors };
  };
  const inForm = (name: string, description: RouteDescription, handle: Route<V1Query>['handle']) =>
    defineRoute({
      path: `${path}/${name}`,
      limit: 'currency',
      query: v1Query,
      description: { description: about, tags: TAGS, ...description },
      handle,
    });
  const ofNewest = { summary: summaries.newest, responses: responsesOf('Rates', v1DaySchema, exampleDay) };
  const ofDays = {
    summary: summaries.days,
    responses: responsesOf('Rates', z.union([v1DaySchema, v1IntervalSchema]), exampleDay),
    params: daysPath,
  };
  const ofNames = responsesOf('Names by code', z.record(z.string(), z.string()), exampleNames);
  return [
    inForm('latest', ofNewest, (query) => form.ask(query, {}, dependencies)),
    inForm('current', ofNewest, (query) => form.ask(query, {}, dependencies)),
    defineRoute({
      path: `${path}/currencies`,
      limit: 'currency',
      description: { summary: summaries.names, tags: TAGS, responses: ofNames },
      handle() {
        const request = resolveRequest({ providers }, clock);
        return rates.ask('currency-names', { request, layout: { form: 'names' }, rows: request.when });
      },
    }),
    inForm(':days', ofDays, (query, { params }) =>
      form.ask(query, daysFor(params.days ?? '', todayNumber(clock)), dependencies),
    ),
  ];
}
