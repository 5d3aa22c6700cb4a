import type { Clock } from '../../../core/domain/clock.js';
import { isCurrency } from '../../../core/domain/currencies.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../http/excerpt.js';
import { strictQuery } from '../../http/query.js';
import { defineRoute, type Route } from '../../http/route.js';
import { FORMATS, type Format } from '../encoding/row-encoder.js';
import { describePair, describeRates } from './describe.js';
import { createRatesReply, formatFor, type RatesDependencies } from './reply.js';
import { costOf, ratesRequest } from './request.js';
import { pairQuery, ratesQuery } from './schemas.js';

const JOINED = { joined: ['quotes', 'providers'] };

/** `GET /v2/rates`, with an extension for each format, and `GET /v2/rate/{base}/{quote}`. */
export function ratesRoutes(dependencies: RatesDependencies & { clock: Clock }): Route[] {
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
        return replyTo(
          ratesRequest(query, clock),
          { format: chosen ?? formatFor(context.headers.accept), single: false },
          context,
        );
      },
    });

  const pair = defineRoute({
    method: 'get',
    path: '/v2/rate/:base/:quote',
    limit: 'currency',
    query: strictQuery(pairQuery, JOINED),
    cost: (query) => costOf({ ...query, quotes: ['the one in the path'] }, clock),
    description: describePair(),
    handle(query, context) {
      const { params, headers } = context;
      const [base, quote] = [codeIn(params.base), codeIn(params.quote)];
      const request = { ...ratesRequest(query, clock), base, quotes: [quote] };
      return replyTo(request, { format: formatFor(headers.accept), single: true }, context);
    },
  });

  return [rates('/v2/rates'), ...FORMATS.map((format) => rates(`/v2/rates.${format}`, format)), pair];
}

/** A code in the path. 404 for one that is no currency. */
function codeIn(text = ''): string {
  const code = text.trim().toUpperCase();
  if (!isCurrency(code)) throw new HttpError(404, `no such currency: ${excerpt(code)}`);
  return code;
}
