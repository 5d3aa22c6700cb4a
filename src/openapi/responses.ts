import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { errorBody, HttpError, tooManyRequests } from '../http/errors.js';

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

/** The 429 of every route with a limit. The operator configures the requests per minute. */
export const TOO_MANY = { 429: tooManyRequests(600, 20) };
/** The message of a 503 until the first rates are loaded. */
export const LOADING = 'the first rates are being loaded';

/** The `responses` of a route for its errors, each with an example, passed as message by status. */
export function errorResponses(messages: Readonly<Record<number, string>>): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(messages).map(([status, message]) => [
      status,
      jsonResponse(message, errorSchema, errorBody(new HttpError(Number(status), message))),
    ]),
  );
}
/** Describes a JSON response of a route. */
export function jsonResponse(description: string, schema: z.ZodType, example: unknown) {
  return { description, content: { 'application/json': { schema, example } } };
}
