import { z } from 'zod';
import { type ErrorForm, json } from '../../http/reply.js';
import { jsonResponse } from '../../openapi/responses.js';
import { excerpt } from '../../parameters/excerpt.js';
import { type Dialect, DialectError } from './dialect.js';

/** All other errors count as server errors. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'malformed-request',
  404: 'malformed-request',
  405: 'malformed-request',
  429: 'quota-reached',
};

/** ExchangeRate-API describes errors only by a type. */
export const errorForm: ErrorForm = (error) => {
  const type = error.code !== undefined ? `${error.code}` : (TYPES[error.status] ?? 'no-data-available');
  return { content: json(bodyOf(type)) };
};

const schema = z.strictObject({ result: z.literal('error'), 'error-type': z.string() });

export const errors: Dialect['errors'] = Object.fromEntries(
  [
    malformed(''),
    unsupported(''),
    new DialectError(429, 'quota-reached', ''),
    new DialectError(503, 'no-data-available', ''),
  ].map(({ status, code }) => [status, jsonResponse(`${code}`, schema, bodyOf(`${code}`))]),
);

export function malformed(what: string): DialectError {
  return new DialectError(400, 'malformed-request', `invalid: ${excerpt(what)}`);
}

/** The error for a code without rates. */
export function unsupported(code: string): DialectError {
  return new DialectError(404, 'unsupported-code', `no rates of ${excerpt(code)}`);
}

/** The error for a day without rates. */
export function noData(date: string): DialectError {
  return new DialectError(404, 'no-data-available', `no rates on ${date}`);
}

function bodyOf(type: string) {
  return { result: 'error', 'error-type': type };
}
