import { type Request, Router } from 'express';
import { isCurrency } from '../../../core/domain/currencies.js';
import type { ApiDocument } from '../../http/api-document.js';
import { HttpError } from '../../http/errors.js';
import type { HeaderList } from '../../http/header-list.js';
import { readQuery } from '../../http/parameters.js';
import { FORMATS, type Format } from '../encoding/row-encoder.js';
import type { RatesHandler } from '../front.js';
import { describeRates } from './describe.js';
import { CONTENT_TYPES, formatFor } from './formats.js';
import { createAnswer, type RatesContext } from './reply.js';
import { checkLength, ratesRequest } from './request.js';
import { pairQuery, ratesQuery } from './schemas.js';

/** The application sets a request's own headers before it comes to a route. */
const SET_ALREADY: HeaderList = [];
const JOINED = { joined: ['quotes', 'providers'] };

/** How rates are asked for: with a router, and by the path of those that have but one. */
export interface RatesRoutes {
  router: Router;
  byPath: ReadonlyMap<string, RatesHandler>;
}

/** `GET /v2/rates`, with an extension for each format, and `GET /v2/rate/{base}/{quote}`. */
export function ratesRoutes(context: RatesContext & { document: ApiDocument }): RatesRoutes {
  const { clock, document } = context;
  const answer = createAnswer(context);
  const router = Router();
  describeRates(document);

  const rates = (route: string, chosen?: Format): [string, RatesHandler] => [
    route,
    async (request, response, own) => {
      const wanted = ratesRequest(readQuery(request, ratesQuery, JOINED), clock);
      checkLength(wanted);
      const format = chosen ?? formatFor(request.headers.accept);
      const layout = { format, contentType: CONTENT_TYPES[format], single: false, route };
      await answer(request, response, { wanted, layout, own });
    },
  ];
  const byPath = new Map([
    rates('/v2/rates'),
    ...FORMATS.map((format) => rates(`/v2/rates.${format}`, format)),
  ]);
  for (const [path, handler] of byPath) {
    router.get(path, (request, response) => handler(request, response, SET_ALREADY));
  }

  const pair = '/v2/rate/:base/:quote';
  router.get(pair, (request: Request<{ base: string; quote: string }>, response) => {
    const [base, quote] = [codeIn(request.params.base), codeIn(request.params.quote)];
    const wanted = { ...ratesRequest(readQuery(request, pairQuery, JOINED), clock), base, quotes: [quote] };
    const format = formatFor(request.headers.accept);
    const layout = { format, contentType: CONTENT_TYPES[format], single: true, route: pair };
    return answer(request, response, { wanted, layout, own: SET_ALREADY });
  });
  return { router, byPath };
}

/** A code in the path. What is no currency is simply not there. */
function codeIn(text: string): string {
  const code = text.trim().toUpperCase();
  if (!isCurrency(code)) throw new HttpError(404, `no such currency: ${code}`);
  return code;
}
