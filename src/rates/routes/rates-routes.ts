import type * as z from 'zod';
import { inEachFormat } from '../../formats/record-formats.js';
import { parameterError } from '../../http/errors.js';
import { type Format, negotiateFormat } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import { pricedCodeInPath, providerInPath } from '../../parameters/currency-parameters.js';
import { strictQuery } from '../../parameters/query.js';
import { askRows } from '../engine/make-rows.js';
import { JOINED, ratesQuery, SOURCES } from '../engine/parameters.js';
import { resolveRequest } from '../engine/request.js';
import type { Rates } from '../rates.js';
import { askByRule, type RuleDependencies } from '../rules/by-rule.js';
import { RULE } from '../rules/parameters.js';
import { resolveRule } from '../rules/resolve.js';
import { convertRoutes } from './convert.js';
import { coverageRoutes } from './coverage.js';
import { describePair, describeRates } from './describe.js';
import { pairPath, pairQuery, providerPath } from './schemas.js';
import { v1Routes } from './v1.js';

type Dependencies = RuleDependencies & { rates: Rates };

export function ratesRoutes(dependencies: Dependencies): Route[] {
  const pair = (path: string) => pairRoute(path, dependencies);
  const list = (path: string, chosen?: Format) => listRoute(path, chosen, dependencies);
  return [
    ...inEachFormat('/v2/rates', list),
    pair('/v2/rate/:base/:quote.txt'),
    pair('/v2/rate/:base/:quote'),
    ...inEachFormat('/v2/providers/:key/rates', list),
    pair('/v2/providers/:key/rate/:base/:quote'),
    ...convertRoutes(dependencies),
    ...coverageRoutes(dependencies),
    ...v1Routes(dependencies),
  ];
}

function isOfProvider(path: string): boolean {
  return path.includes('/:key/');
}

const SHAPE = { shape: true } as const;
/** Parameters of rows, which can't be combined with `shape`. */
const ROWS = { expand: true, updated_after: true, header: true } as const;

function listRoute(path: string, chosen: Format | undefined, { rates, clock }: Dependencies): Route {
  const { read, schema } = strictQuery(isOfProvider(path) ? ratesQuery.omit(SOURCES) : ratesQuery, JOINED);
  return defineRoute({
    path,
    limit: 'currency',
    query: { read, schema: chosen === 'json' ? schema.omit(ROWS).required(SHAPE) : schema.omit(SHAPE) },
    description: describeRates(isOfProvider(path), chosen === 'json'),
    handle(query: z.output<typeof ratesQuery>, context) {
      const { format, vary } = negotiateFormat(context.headers.accept, chosen);
      const { key } = context.params;
      const { shape, providers } = query;
      if (shape !== undefined && format !== 'json') {
        const message = `shape=${shape} is JSON: leave out .${format}, or accept application/json`;
        throw parameterError(422, 'shape', message);
      }
      const layout = { format, single: false, header: query.header !== 'off', shape };
      const asked = { ...query, providers: key === undefined ? providers : [providerInPath(key)] };
      return askRows(rates.ask, resolveRequest(asked, clock), layout, vary);
    },
  });
}

function pairRoute(path: string, dependencies: Dependencies): Route {
  const { rates, clock } = dependencies;
  const isText = path.endsWith('.txt');
  const params = isOfProvider(path) ? pairPath.extend(providerPath.shape) : pairPath;
  return defineRoute({
    path,
    limit: 'currency',
    query: strictQuery(isOfProvider(path) ? pairQuery.omit({ ...SOURCES, ...RULE }) : pairQuery, JOINED),
    description: describePair({ params, isText }),
    handle(query: z.output<typeof pairQuery>, context) {
      const { key } = context.params;
      const { plain, ruling } = resolveRule(query);
      const ask = ruling ? askByRule(rates.ask, ruling, dependencies) : rates.ask;
      const providers = key === undefined ? plain.providers : [providerInPath(key)];
      const [base, quote] = [pricedCodeInPath(context.params.base), pricedCodeInPath(context.params.quote)];
      const request = resolveRequest({ ...plain, base, quotes: [quote], providers }, clock);
      const { format, vary } = negotiateFormat(context.headers.accept, isText ? 'text' : undefined);
      const header = query.header !== 'off';
      if (!request.receipt) return askRows(ask, request, { format, single: true, header }, vary);
      if (request.expand.length > 0 || format === 'text') {
        const message = 'expand=receipt stands alone: leave out the other words, and .txt';
        throw parameterError(422, 'expand', message);
      }
      return ask('row-with-receipt', { request, layout: { format, header } }, { vary });
    },
  });
}
