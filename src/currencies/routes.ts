import * as z from 'zod';
import { type CurrencyFacts, currencies as facts, lifetimeOf } from '../../core/domain/currencies.js';
import {
  type CalendarDate,
  type Clock,
  type DateRange,
  dayNumber,
  daysBetween,
  today,
} from '../../core/domain/dates.js';
import { inForce, pegOf } from '../../core/domain/pegs.js';
import { blendedBy } from '../../core/domain/providers.js';
import { type Catalogue, providersOf, publishedBy } from '../catalogue/catalogue.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import {
  currencySchema,
  type DescribedCurrency,
  describedCurrencySchema,
  type ListedCurrency,
} from '../catalogue/schemas.js';
import { entityTag, json, MOVING, type Reply } from '../http/reply.js';
import { defineRoute, movedRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse, UNKNOWN_PROVIDER } from '../openapi/responses.js';
import { codeInPath, oneOf, providerList } from '../parameters/currency-parameters.js';
import { noSuchCurrency } from '../parameters/hints.js';
import { strictQuery } from '../parameters/query.js';

const currenciesQuery = z.object({
  scope: oneOf(['all']).optional().meta({
    description: 'all: include legacy and retired currencies',
  }),
  providers: providerList.optional().meta({
    description:
      'Only currencies that these sources publish, with the first and last day there; keys separated by commas',
    examples: ['ECB'],
  }),
});

const currencyPath = z.object({
  code: z.string().meta({ description: 'Currency code, in any case', examples: ['TMT'] }),
});

interface CurrenciesDependencies {
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

/** Throws a 503 until the catalogue is loaded. */
export function openCurrencies({ catalogue, clock }: CurrenciesDependencies) {
  const list = (all: boolean) => listCurrencies(requireCatalogue(catalogue), { all, today: today(clock) });
  return {
    currencies: () => list(false),
    allCurrencies: () => list(true),
    currency: (code: string) => describeCurrency(requireCatalogue(catalogue), code.trim().toUpperCase()),
  };
}

/** `GET /v2/currencies` and `GET /v2/currency/{code}`, to which `/v2/currencies/{code}` redirects. */
export function currenciesRoutes(dependencies: CurrenciesDependencies): Route[] {
  return [
    listRoute(dependencies),
    oneRoute(dependencies),
    movedRoute('/v2/currencies/:code', '/v2/currency/:code'),
  ];
}

function listRoute({ catalogue: holder, clock }: CurrenciesDependencies): Route {
  return defineRoute({
    path: '/v2/currencies',
    limit: 'currency',
    query: strictQuery(currenciesQuery, { joined: ['providers'] }),
    description: {
      summary: 'All currencies with rates',
      description:
        'Sorted by code. Unless `scope=all`, lists only current currencies: those that are not retired and have a rate, or a ' +
        'peg to a currency that has one, in the 30 days up to the newest observation.',
      tags: ['Currencies'],
      responses: {
        200: jsonResponse('Currencies', z.array(currencySchema)),
        ...errorResponses({ 422: UNKNOWN_PROVIDER, 503: 'the data is not loaded yet' }),
      },
    },
    handle({ scope, providers }) {
      const catalogue = requireCatalogue(holder);
      const day = today(clock);
      const sources = providers?.toSorted();
      const parts = [catalogue.version, day, scope ?? '', sources?.join(',') ?? ''];
      const wanted = { all: scope === 'all', today: day, ...(sources && { providers: sources }) };
      return reply('currencies', parts, listCurrencies(catalogue, wanted));
    },
  });
}

function oneRoute({ catalogue: holder }: CurrenciesDependencies): Route {
  return defineRoute({
    path: '/v2/currency/:code',
    limit: 'currency',
    query: strictQuery(z.object({})),
    description: {
      summary: 'One currency, current or retired',
      tags: ['Currencies'],
      params: currencyPath,
      responses: {
        200: jsonResponse('The currency', describedCurrencySchema),
        ...errorResponses({
          404: ['unknown_currency', 'no such currency: ZZZ'],
          503: 'the data is not loaded yet',
        }),
      },
    },
    handle(_query, { params }) {
      const catalogue = requireCatalogue(holder);
      const code = codeInPath(params.code);
      const described = describeCurrency(catalogue, code);
      if (!described) throw noSuchCurrency(code);
      return reply('currency', [catalogue.version, code], described);
    },
  });
}

/** `parts` are all that the body depends on. */
function reply(kind: string, parts: readonly (string | bigint)[], body: unknown): Reply {
  const tag = entityTag(kind, blendedBy(), ...parts);
  return { validity: { tag, cacheControl: MOVING }, content: json(body) };
}

const OBSERVED_WITHIN_DAYS = 30;

interface Scope {
  all: boolean;
  /** Only currencies that these providers publish, with the first and last day on which they do. */
  providers?: readonly string[];
  today: CalendarDate;
}

/** Sorted by code. */
function listCurrencies(catalogue: Catalogue, { all, providers, today }: Scope): ListedCurrency[] {
  const spans = providers ? publishedBy(catalogue, providers) : catalogue.currencies;
  return [...facts.values()].flatMap((currency) => {
    const span = spans.get(currency.iso_code);
    if (!span || !(all || isCurrent(catalogue, currency.iso_code, today))) return [];
    return [listed(currency, span)];
  });
}

/** Not retired, and with a rate of its own or of its peg in the 30 days up to the newest one. */
function isCurrent({ currencies, newest }: Catalogue, code: string, today: CalendarDate): boolean {
  const { until } = lifetimeOf(code);
  if (until !== undefined && until <= today) return false;
  const span = currencies.get(code);
  if (!span || newest === undefined) return false;
  return daysBetween(span.to, newest) <= OBSERVED_WITHIN_DAYS;
}

/** Undefined if the currency never had a rate. */
export function describeCurrency(catalogue: Catalogue, code: string): DescribedCurrency | undefined {
  const currency = facts.get(code);
  const span = catalogue.currencies.get(code);
  if (!currency || !span) return undefined;
  const described = { ...listed(currency, span), providers: providersOf(catalogue, code) };
  const peg = pegOf(code);
  if (!peg || !inForce(peg)(dayNumber(span.to))) return described;
  const { base, rate, authority, source } = peg;
  return { ...described, peg: { base, rate, authority, source } };
}

function listed(
  { iso_code, iso_numeric, name, symbol }: CurrencyFacts,
  { from, to }: DateRange,
): ListedCurrency {
  return { iso_code, iso_numeric, name, symbol, start_date: from, end_date: to };
}
