import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { describeList } from '../../formats/record-formats.js';
import type { RouteDescription } from '../../http/route.js';
import { errorResponses, LOADING, UNKNOWN_CURRENCY } from '../../openapi/responses.js';
import { rowSchema } from '../encoding/row-schema.js';
import { providerPath, ratesObjectSchema, v1DaySchema, v1IntervalSchema } from './schemas.js';

const TAGS = ['Rates'];

const exampleRow = { date: '2026-03-20', base: 'EUR', quote: 'USD', rate: 1.1537 };
const exampleRows = [{ date: '2026-03-20', base: 'EUR', quote: 'GBP', rate: 0.86693 }, exampleRow];

const exampleObject = { base: 'EUR', date: '2026-03-20', rates: { GBP: 0.86693, USD: 1.1537 } };
const NOT_FOUND = 'not found: there are no rates for these currencies and days';

export function header(description: string, format?: 'date' | 'date-time') {
  return { description, schema: { type: 'string' as const, ...(format && { format }) } };
}

/** The response headers of a conversion. */
export const PAST_HEADERS = {
  'x-rates-as-of': header('Only with `as_of`: the day of the latest observation known then', 'date'),
  'x-blend-method': header('Number of the blend method; only with `as_of` or a receipt'),
};

export const AS_OF_HEADER = header(
  'The day of the latest observation, or the requested day if that is earlier; absent for a range',
  'date',
);

const HEADERS = { ...PAST_HEADERS, 'x-rates-as-of': AS_OF_HEADER };

const LIST_HEADERS = {
  ...HEADERS,
  'x-known-at': header('Only with `updated_after`: the instant to name in the next request', 'date-time'),
  'content-disposition': header('Only for CSV: the name of a file to save it in'),
};

const LATEST_AND_RANGES =
  'Without `date` and `from`, returns the latest rate of each currency in the 14 days up to the latest observation (at ' +
  'latest tomorrow, UTC); with `date`, the same as of that day. With ' +
  '`from`, returns every row of the range, or with `group` one row for each period that the range overlaps. The base has ' +
  'a row with rate 1; `expand=providers` adds the day and rate of each source, or with `group` the mean over its own days.';

type Contents = ReturnType<typeof describeList>;

function responsesOf(
  description: string,
  content: Contents,
  notFound = NOT_FOUND,
  headers: NonNullable<ResponseConfig['headers']> = LIST_HEADERS,
) {
  return {
    200: { description, headers, content },
    ...errorResponses({ 404: ['no_rates', notFound], 422: UNKNOWN_CURRENCY, 503: LOADING }),
  };
}

/** With `isObject`, the responses with `shape`: an operation of its own, so that rows are not a union of types for clients. */
export function describeRates(isOfProvider: boolean, isObject: boolean): RouteDescription {
  const params = isOfProvider ? { params: providerPath } : {};
  if (isObject) {
    const schema = z.union([ratesObjectSchema, v1DaySchema, v1IntervalSchema]);
    return {
      operationId: isOfProvider ? 'getProviderRatesObject' : 'getRatesObject',
      summary: `Rates ${isOfProvider ? 'of one source ' : ''}as an object by quote; for a range, by date and quote`,
      description: 'The path without `.json` also accepts `shape`. Without `shape`, both return rows.',
      tags: TAGS,
      responses: responsesOf('Rates', { 'application/json': { schema, example: exampleObject } }),
      ...params,
    };
  }
  const columns = ['date', 'base', 'quote', 'rate'] as const;
  return {
    summary: isOfProvider ? 'The rates of one source' : 'Latest rates, or rates of a day or a range',
    description: LATEST_AND_RANGES,
    tags: TAGS,
    responses: responsesOf('Rates', describeList({ schema: rowSchema, example: exampleRows, columns })),
    ...params,
  };
}

/** Describes the route of one pair; with `isText`, its text is only the rate. */
export function describePair({ params, isText }: { params: z.ZodObject; isText: boolean }): RouteDescription {
  const of = 'key' in params.shape ? 'one pair of one source' : 'one pair';
  const content: Contents = isText
    ? { 'text/plain': { schema: z.string(), example: String(exampleRow.rate) } }
    : { 'application/json': { schema: rowSchema, example: exampleRow } };
  const notFound = 'no rate for EUR/KPW: there are no rates for KPW';
  return {
    summary: isText
      ? `The rate of ${of} as plain text, for spreadsheets`
      : `The rate of ${of}, latest or as of a day`,
    tags: TAGS,
    params,
    responses: responsesOf('The rate', content, notFound, HEADERS),
  };
}
