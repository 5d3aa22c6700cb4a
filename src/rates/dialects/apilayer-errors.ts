import { DialectError } from './answers.js';
import type { Dialect } from './dialect.js';
import { booleanIn } from './parameter-values.js';

const TYPES: Readonly<Record<number, string>> = {
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
const NUMBERS: Readonly<Record<number, number>> = { 404: 103, 405: 103, 429: 104, 503: 106 };

/** How Fixer and currencylayer format bodies and errors. */
export const FORM = {
  parameters: {
    format: '1 for an indented body',
    callback: 'A function that a script calls with the body',
  },
  indent: ({ query }) => (booleanIn(query.format) ? 2 : 0),
  errors: [failure(103, 'nothing at /fixer/newest')],
  errorBody({ status, dialectCode: code = NUMBERS[status] ?? status, message: info }) {
    return {
      success: false,
      error: { code: Number(code), type: TYPES[Number(code)] ?? 'internal_error', info },
    };
  },
} satisfies Partial<Dialect>;

/** Creates an error by its code. Clients read bodies only if the status is 200. */
export function failure(number: number, info: string): DialectError {
  return new DialectError(number === 103 ? 404 : 200, number, info);
}
