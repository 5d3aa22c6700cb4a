import type { Content, ErrorForm } from '../../http/reply.js';
import { jsonResponse, LOADING } from '../../openapi/responses.js';
import { booleanIn, type Dialect, type DialectRequest, queryOf } from './dialect.js';
import { jsonBody } from './json-body.js';
import { schemaOf } from './schema-of.js';

// How Open Exchange Rates formats bodies and errors.

/** The parameters of all paths. */
export const PARAMETERS = {
  only_alternative: '1 for no rates: there are no alternative ones',
  show_bid_ask: '1 is refused: there are no bid and ask rates',
  prettyprint: '0 for a single line',
  callback: 'A function that a script calls with the body',
};
/** The names of errors that also occur outside this dialect. */
const MESSAGES: Record<number, string> = { 404: 'not_found', 405: 'not_allowed', 429: 'access_restricted' };

export function written(body: object, { prettyprint, callback }: DialectRequest['query']): Content {
  return jsonBody(body, booleanIn(prettyprint) === false ? 0 : 2, callback);
}

export const errorForm: ErrorForm = (error, { url }) => {
  const message = error.code !== undefined ? `${error.code}` : (MESSAGES[error.status] ?? 'not_available');
  const body = bodyOf(error.status, message, error.message);
  return { content: written(body, queryOf(url, Object.keys(PARAMETERS))) };
};

export const errors: Dialect['errors'] = Object.fromEntries(
  [
    bodyOf(400, 'invalid_base', 'no such currency: XYZ'),
    bodyOf(403, 'not_allowed', 'there are no bid and ask rates: leave show_bid_ask out'),
    bodyOf(429, 'access_restricted', 'too many requests: try again in 20 seconds'),
    bodyOf(503, 'not_available', LOADING),
  ].map((body) => [body.status, jsonResponse(body.description, schemaOf(body), body)]),
);

function bodyOf(status: number, message: string, description: string) {
  return { error: true, status, message, description };
}
