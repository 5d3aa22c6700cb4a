import { CONTENT_TYPES, FORMATS, type Format, formatFor } from '../../formats/record-formats.js';
import { HttpError } from '../../http/errors.js';
import { JSON_TYPE } from '../../http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../../http/route.js';
import { strictQuery } from '../../parameters/query.js';
import { askConversion } from '../convert/ask-conversion.js';
import { conversionQuery, conversionsQuery, JOINED } from '../engine/parameters.js';
import { resolveRequest } from '../engine/request.js';
import { MOST_LINES } from '../lines/records.js';
import type { Rates } from '../rates.js';
import { type RuleDependencies, readTimes } from '../rules/ask-by-rule.js';
import { checkRule } from '../rules/resolve.js';
import { conversionRoute, conversionsRoute, FORM_OF_BODY, LARGEST_BODY } from './describe-convert.js';
import { codeIn } from './path-codes.js';

export function convertRoutes(dependencies: RuleDependencies & { rates: Rates }): Route[] {
  const { rates, clock } = dependencies;
  const one = defineRoute({
    path: '/v2/convert/:base/:quote',
    limit: 'currency',
    query: strictQuery(conversionQuery, JOINED),
    description: conversionRoute,
    handle(query, { params, headers }) {
      const pair = { base: codeIn(params.base), quote: codeIn(params.quote) };
      return askConversion(rates.ask, dependencies, { ...pair, query, format: formatFor(headers.accept) });
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
      const { rule: _rule, period: _period, from: _from, to: _to, ...plain } = query;
      const request = resolveRequest(plain, clock);
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
