import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { ApiDocument } from '../../http/api-document.js';
import { errorResponses, TOO_MANY } from '../../http/error-responses.js';
import { exampleRow, exampleRows, exampleText } from './examples.js';
import { pairPath, pairQuery, ratesQuery, rowSchema } from './schemas.js';

const TAGS = ['Rates'];

const AS_OF = {
  'x-rates-as-of': {
    description: 'The day up to which the newest rates were looked for; not with `from`',
    schema: { type: 'string' as const, format: 'date' },
  },
};

const LATEST_AND_RANGES = [
  'Without `date` and `from`, the newest rate of each currency in the 14 days up to the newest observation, which',
  'counts up to tomorrow, UTC. With `date`, the same as of that day. With `from`, every row of the range, or with',
  '`group` one for each week or month that the range overlaps.',
  '',
  'Sorted by date, then quote. The base is a row too, with a rate of 1. `quotes` chooses rows and never changes a',
  'rate: a date, a base and a quote have one rate, whichever way they are asked for. Rates above 5000 are rounded',
  'to whole numbers, above 80 to two decimals, above 20 to three, above 1 to four, the others to five significant',
  'digits; what one provider (`providers=ECB`) publishes itself is shown in its own digits.',
  '',
  'With `expand=providers`, each source comes with the day and the rate that it contributes, divided by the same',
  'rate of the base as the row: on the row of the dollar, in which rates are blended, these are the sources of the',
  'base. With `group` they are means over their own days in the period, dated with its first day.',
  '',
  'As JSON, NDJSON or CSV, by `Accept` or by extension. Daily rows with sources, or of several providers, are',
  'limited to five years a request; all else is not limited.',
].join('\n');

const errors = {
  422: 'invalid currency: ZZZ',
  ...TOO_MANY,
  503: 'the rates are not loaded yet',
};

/** Describes the routes of rates from the schemas that check their requests. */
export function describeRates(document: ApiDocument): void {
  const json = { schema: z.array(rowSchema), example: exampleRows };
  const ndjson = { schema: z.string(), example: exampleText.ndjson };
  const csv = { schema: z.string(), example: exampleText.csv };
  const route = (path: string, summary: string, content: RouteConfig['responses'][string]): void => {
    document.registerPath({
      method: 'get',
      path,
      summary,
      description: LATEST_AND_RANGES,
      tags: TAGS,
      request: { query: ratesQuery },
      responses: { 200: content, ...errorResponses(errors) },
    });
  };
  route('/v2/rates', 'Newest rates, those of a day, or a range', {
    description: 'Rates',
    headers: AS_OF,
    content: { 'application/json': json, 'application/x-ndjson': ndjson, 'text/csv': csv },
  });
  route('/v2/rates.json', 'The same as JSON', {
    description: 'Rates',
    headers: AS_OF,
    content: { 'application/json': json },
  });
  route('/v2/rates.ndjson', 'The same as NDJSON, a row a line', {
    description: 'Rates',
    headers: AS_OF,
    content: { 'application/x-ndjson': ndjson },
  });
  route('/v2/rates.csv', 'The same as CSV', {
    description: 'Rates',
    headers: AS_OF,
    content: { 'text/csv': csv },
  });
  document.registerPath({
    method: 'get',
    path: '/v2/rate/{base}/{quote}',
    summary: 'The rate of one pair, newest or as of a day',
    tags: TAGS,
    request: { params: pairPath, query: pairQuery },
    responses: {
      200: {
        description: 'The rate',
        headers: AS_OF,
        content: { 'application/json': { schema: rowSchema, example: exampleRow } },
      },
      ...errorResponses({ ...errors, 404: 'no rate for EUR/KPW' }),
    },
  });
}
