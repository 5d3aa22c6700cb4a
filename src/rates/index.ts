import { type Request, type RequestHandler, Router } from 'express';
import { isCurrency } from '../../core/currencies.js';
import type { ApiDocument } from '../http/api-document.js';
import { HttpError } from '../http/errors.js';
import { readQuery } from '../http/parameters.js';
import { createAnswer, type RatesContext } from './answer.js';
import { describeRates } from './describe.js';
import { CONTENT_TYPES, formatFor } from './formats.js';
import { checkLength, ratesRequest } from './request.js';
import { FORMATS, type Format } from './row-bytes.js';
import { pairQuery, ratesQuery } from './schemas.js';

const JOINED = { joined: ['quotes', 'providers'] };

/** `GET /v2/rates`, with an extension for each format, and `GET /v2/rate/{base}/{quote}`. */
export function ratesRoutes(context: RatesContext & { document: ApiDocument }): Router {
  const { clock, document } = context;
  const answer = createAnswer(context);
  const router = Router();
  describeRates(document);

  const rates = (chosen?: Format): RequestHandler => {
    return (request, response) => {
      const wanted = ratesRequest(readQuery(request, ratesQuery, JOINED), clock);
      checkLength(wanted);
      const format = chosen ?? formatFor(request.headers.accept);
      return answer(request, response, wanted, { format, contentType: CONTENT_TYPES[format], single: false });
    };
  };
  router.get('/v2/rates', rates());
  for (const format of FORMATS) router.get(`/v2/rates.${format}`, rates(format));

  router.get('/v2/rate/:base/:quote', (request: Request<{ base: string; quote: string }>, response) => {
    const [base, quote] = [codeIn(request.params.base), codeIn(request.params.quote)];
    const wanted = { ...ratesRequest(readQuery(request, pairQuery, JOINED), clock), base, quotes: [quote] };
    const format = formatFor(request.headers.accept);
    return answer(request, response, wanted, { format, contentType: CONTENT_TYPES[format], single: true });
  });
  return router;
}

/** A code in the path. What is no currency is simply not there. */
function codeIn(text: string): string {
  const code = text.trim().toUpperCase();
  if (!isCurrency(code)) throw new HttpError(404, `no such currency: ${code}`);
  return code;
}
