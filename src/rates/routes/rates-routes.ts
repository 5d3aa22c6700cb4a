import type { z } from 'zod';
import type { Clock } from '../../../core/domain/clock.js';
import { parameterError } from '../../http/errors.js';
import { strictQuery } from '../../http/query.js';
import { FORMATS, type Format, formatFor } from '../../http/record-formats.js';
import { defineRoute, type Route } from '../../http/route.js';
import { convertRoutes } from './convert.js';
import { coverageRoutes } from './coverage.js';
import { describePair, describeRates } from './describe.js';
import { codeIn, providerIn } from './path-codes.js';
import { receiptReply } from './receipt.js';
import { createRatesReply, type RatesDependencies } from './reply.js';
import { costOf, ratesRequest } from './request.js';
import { pairPath, pairQuery, providerPath, ratesQuery } from './schemas.js';
import { v1Routes } from './v1.js';

const JOINED = { joined: ['quotes', 'providers'] };

type Dependencies = RatesDependencies & { clock: Clock };

/** All routes that answer rates. */
export function ratesRoutes(dependencies: Dependencies): Route[] {
  return [
    ...rowsRoutes(dependencies),
    ...convertRoutes(dependencies),
    ...coverageRoutes(dependencies),
    ...v1Routes(dependencies),
  ];
}

/**
 * `GET /v2/rates`, with an extension for each format, and `GET /v2/rate/{base}/{quote}`; both also below
 * `/v2/providers/{key}` for one provider.
 */
function rowsRoutes(dependencies: Dependencies): Route[] {
  const { clock } = dependencies;
  const replyTo = createRatesReply(dependencies);

  const rates = (path: string, chosen?: Format) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: strictQuery(ratesQuery, JOINED),
      cost: (query) => costOf(query, clock),
      description: describeRates(chosen),
      handle(query, context) {
        const format = chosen ?? formatFor(context.headers.accept);
        return replyTo(
          ratesRequest(query, clock),
          { format, single: false, header: query.header !== 'off' },
          context,
        );
      },
    });

  const ofProvider = (path: string, chosen?: Format) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: strictQuery(ratesQuery.omit({ providers: true }), JOINED),
      cost: (query) => costOf({ ...query, providers: ['the one in the path'] }, clock),
      description: { ...describeRates(chosen), summary: 'The rates of one provider', params: providerPath },
      handle(query, context) {
        const format = chosen ?? formatFor(context.headers.accept);
        const request = ratesRequest({ ...query, providers: [providerIn(context.params.key)] }, clock);
        return replyTo(request, { format, single: false, header: query.header !== 'off' }, context);
      },
    });

  const pair = (path: string, { params, isText = false }: { params: z.ZodObject; isText?: boolean }) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: strictQuery('key' in params.shape ? pairQuery.omit({ providers: true }) : pairQuery, JOINED),
      cost: ({ expand, ...query }) =>
        costOf(
          { ...query, expand: expand?.length ? ['quality'] : [], quotes: ['the one in the path'] },
          clock,
        ),
      description: describePair({ params, isText }),
      handle(query: z.output<typeof pairQuery>, context) {
        const { base, quote, key } = context.params;
        const providers = key === undefined ? query.providers : [providerIn(key)];
        const expand = (query.expand ?? []).filter((detail) => detail !== 'receipt');
        const wantsReceipt = expand.length !== (query.expand ?? []).length;
        const [from, to] = [codeIn(base), codeIn(quote)];
        const request = { ...ratesRequest({ ...query, expand, providers }, clock), base: from };
        const format = isText ? 'text' : formatFor(context.headers.accept);
        const header = query.header !== 'off';
        if (!wantsReceipt)
          return replyTo({ ...request, quotes: [to] }, { format, single: true, header }, context);
        if (expand.length > 0 || format === 'text')
          throw parameterError(422, 'expand', 'expand=receipt stands alone, and is no bare number');
        const receipt = { format, header, path: `/v2/rate/${from}/${to}` };
        return receiptReply(dependencies, { ...request, quotes: [to] }, receipt, context);
      },
    });

  return [
    rates('/v2/rates'),
    ...FORMATS.map((format) => rates(`/v2/rates.${format}`, format)),
    pair('/v2/rate/:base/:quote.txt', { params: pairPath, isText: true }),
    pair('/v2/rate/:base/:quote', { params: pairPath }),
    ofProvider('/v2/providers/:key/rates'),
    ...FORMATS.map((format) => ofProvider(`/v2/providers/:key/rates.${format}`, format)),
    pair('/v2/providers/:key/rate/:base/:quote', { params: pairPath.extend(providerPath.shape) }),
  ];
}
