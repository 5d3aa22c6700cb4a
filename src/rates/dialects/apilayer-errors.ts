import type { Content, ErrorForm } from '../../http/reply.js';
import { jsonResponse, LOADING } from '../../openapi/responses.js';
import { booleanIn, type Dialect, DialectError, type DialectRequest, queryOf } from './dialect.js';
import { jsonBody } from './json-body.js';
import { schemaOf } from './schema-of.js';

// How Fixer and currencylayer, services of one company, format bodies and errors.

/** The parameters of all paths. */
export const PARAMETERS = {
  format: '1 for an indented body',
  callback: 'A function that a script calls with the body',
};
/** The types of errors by their codes. */
const TYPES: Record<number, string> = {
  103: 'invalid_api_function',
  104: 'usage_limit_reached',
  106: 'no_rates_available',
  201: 'invalid_base_currency',
  202: 'invalid_currency_codes',
  301: 'no_date_supplied',
  302: 'invalid_date',
  401: 'invalid_from_currency',
  402: 'invalid_to_currency',
  403: 'invalid_conversion_amount',
  501: 'no_timeframe_supplied',
  502: 'invalid_start_date',
  503: 'invalid_end_date',
  504: 'invalid_time_frame',
  505: 'time_frame_too_long',
};
/** The codes of errors that also occur outside these dialects, by status. */
const NUMBERS: Record<number, number> = { 404: 103, 405: 103, 429: 104, 503: 106 };

export const errors: Dialect['errors'] = Object.fromEntries(
  Object.entries({
    404: 'nothing at /fixer/newest',
    429: 'too many requests: try again in 20 seconds',
    503: LOADING,
  }).map(([status, info]) => {
    const body = errorBody(NUMBERS[Number(status)] ?? 0, info);
    return [status, jsonResponse(info, schemaOf(body), body)];
  }),
);

export const errorForm: ErrorForm = (error, { url }) => {
  const number = error.code !== undefined ? Number(error.code) : (NUMBERS[error.status] ?? error.status);
  return { content: written(errorBody(number, error.message), queryOf(url, Object.keys(PARAMETERS))) };
};

function errorBody(code: number, info: string) {
  return { success: false, error: { code, type: TYPES[code] ?? 'internal_error', info } };
}

/** Creates an error by its code. Clients read bodies only if the status is 200. */
export function failure(number: number, info: string): DialectError {
  return new DialectError(number === 103 ? 404 : 200, number, info);
}

export function written(body: object, { format, callback }: DialectRequest['query']): Content {
  return jsonBody(body, booleanIn(format) ? 2 : 0, callback);
}
