import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { errorBody, HttpError } from './errors.js';
import { jsonResponse } from './json-response.js';

const errorSchema = z
  .object({
    success: z.literal(false),
    status: z.number().int(),
    message: z.string(),
    errors: z
      .array(z.object({ parameter: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Only if a parameter is at fault' }),
  })
  .meta({ id: 'Error' });

/** What a client over the limit is told. */
export function tooManyRequests(perMinute: number, seconds: number): string {
  const wait = `try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `too many requests: ${perMinute} a minute are allowed here, so ${wait}`;
}

/** What every route that has a limit says of it; how many a minute are allowed is the operator's to set. */
export const TOO_MANY = { 429: tooManyRequests(600, 20) };

/** The `responses` of a route for its errors, each with an example, given as message by status. */
export function errorResponses(messages: Readonly<Record<number, string>>): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(messages).map(([status, message]) => [
      status,
      jsonResponse(message, errorSchema, errorBody(new HttpError(Number(status), message))),
    ]),
  );
}
