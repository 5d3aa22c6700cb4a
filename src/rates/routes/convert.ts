import * as z from 'zod';
import { bodyTooLarge, HttpError } from '../../http/errors.js';
import { CONTENT_TYPES, FORMATS, type Format, JSON_TYPE, negotiateFormat } from '../../http/reply.js';
import { defineRoute, type RequestContext, type Route, type RouteDescription } from '../../http/route.js';
import { errorResponses, exampleOf, jsonContent, LOADING } from '../../openapi/responses.js';
import { currencyCode, pricedCodeInPath } from '../../parameters/currency-parameters.js';
import { strictQuery } from '../../parameters/query.js';
import { askConversion } from '../convert/convert.js';
import { conversionQuery, conversionsQuery } from '../convert/parameters.js';
import { JOINED } from '../engine/parameters.js';
import { resolveRequest } from '../engine/request.js';
import { conversion } from '../lines/converted-lines.js';
import { MOST_LINES } from '../lines/lines.js';
import type { Rates } from '../rates.js';
import { type RuleDependencies, readTimes } from '../rules/by-rule.js';
import { checkRule } from '../rules/resolve.js';
import { PAST_HEADERS } from './describe.js';

export function convertRoutes(dependencies: RuleDependencies & { rates: Rates }): Route[] {
  const { rates, clock } = dependencies;
  const one = defineRoute({
    path: '/v2/convert/:base/:quote',
    limit: 'currency',
    query: strictQuery(conversionQuery, JOINED),
    description: conversionRoute,
    handle(query, { params, headers }) {
      const pair = { base: pricedCodeInPath(params.base), quote: pricedCodeInPath(params.quote) };
      return askConversion(rates.ask, dependencies, { ...pair, query, ...negotiateFormat(headers.accept) });
    },
  });

  const many = defineRoute({
    method: 'post',
    path: '/v2/convert',
    limit: 'currency',
    query: strictQuery(conversionsQuery, JOINED),
    body: 'text',
    largestBody: LARGEST_BODY,
    description: conversionsRoute,
    handle(query, context) {
      checkRule(query);
      const { rule: _rule, period: _period, from: _from, to: _to, when, ...plain } = query;
      // Without a date, it is counted from the dates of the lines.
      const request = resolveRequest({ ...plain, when: plain.date === undefined ? undefined : when }, clock);
      const question = { request, layout: { format: formatOf(context) } };
      return rates.ask('converted-lines', question, {
        isStored: false,
        cost: { rows: MOST_LINES, wholeBytes: 0, reads: true },
        input: { body: String(context.body ?? ''), query, times: readTimes(dependencies, request) },
      });
    },
  });

  return [one, many];
}

/** Returns the format of the body. Throws an HttpError 415 for an unsupported type. */
function formatOf({ headers }: RequestContext): Format {
  const [type = ''] = (headers['content-type'] ?? JSON_TYPE).split(';');
  const found = FORMATS.find((format) => CONTENT_TYPES[format].startsWith(`${type.trim().toLowerCase()};`));
  if (!found) throw new HttpError(415, FORM_OF_BODY);
  return found;
}

const convertPath = z.object({
  base: currencyCode.meta({ description: 'Currency of the amount', examples: ['EUR'] }),
  quote: currencyCode.meta({ description: 'Currency of the result', examples: ['USD'] }),
});

const convertedLine = z.union([
  conversion.extend({ id: z.unknown().optional() }),
  z
    .looseObject({ error: z.string() })
    .meta({ description: "A line that can't be converted, as it was sent, with an `error`" }),
]);

const exampleConversion = exampleOf(conversion);
const { amount, base, quote, date } = exampleConversion;
const invalidLine = { amount: '10', base: 'EUR', quote: 'XXY', id: 'invoice 2' };
const exampleLines = [{ amount, base, quote, date, id: 'invoice 1' }, invalidLine];
const exampleConverted = [
  { ...exampleConversion, id: 'invoice 1' },
  { ...invalidLine, error: 'invalid currency: XXY' },
];

/** The largest body of lines, in bytes. */
const LARGEST_BODY = 2 * 1024 * 1024;
const FORM_OF_BODY = 'the body must be application/json, application/x-ndjson or text/csv';
const TAGS = ['Conversion'];
const ROUNDING =
  'The result is computed in decimal arithmetic from the rate with twelve significant digits, which the response contains.';

const conversionRoute: RouteDescription = {
  operationId: 'convertAmount',
  summary: 'Convert an amount',
  description: ROUNDING,
  tags: TAGS,
  params: convertPath,
  responses: {
    200: {
      description: 'The converted amount',
      headers: PAST_HEADERS,
      content: jsonContent(conversion, exampleConversion),
    },
    ...errorResponses({
      404: ['no_rates', 'no rate for EUR/KPW: there are no rates for KPW'],
      422: 'invalid amount: 12,5 (write a number of at most 30 digits such as 1250.00)',
      503: LOADING,
    }),
  },
};

const conversionsRoute: RouteDescription = {
  operationId: 'convertAmounts',
  summary: 'Convert many amounts',
  description: `Up to ${MOST_LINES} lines as a JSON array, NDJSON or CSV with the columns amount, base and quote, and optionally id, date (from which \`when\` also counts), rule, period, from and to, which override the parameters of the query. The response has the format of the request and one line for each line of it; a line that can't be converted has an \`error\`. ${ROUNDING}`,
  tags: TAGS,
  body: z.array(
    z.object({
      amount: z.union([z.string(), z.number()]),
      base: z.string(),
      quote: z.string(),
      date: z.string().optional(),
      rule: z.string().optional(),
      period: z.string().optional(),
      from: z.string().optional(),
      to: z.string().optional(),
      id: z.unknown().optional(),
    }),
  ),
  bodyExample: exampleLines,
  responses: {
    200: {
      description: 'The converted lines',
      headers: PAST_HEADERS,
      content: jsonContent(z.array(convertedLine), exampleConverted),
    },
    ...errorResponses({
      413: bodyTooLarge(LARGEST_BODY),
      415: FORM_OF_BODY,
      422: ['invalid_request', 'line 3: is not valid JSON'],
      503: LOADING,
    }),
  },
};
