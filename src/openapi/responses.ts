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

/** The operator configures the requests per minute. */
export const TOO_MANY = { 429: tooManyRequests(600, 20) };
/** For routes that refuse nothing else. */
export const HEAD_TOO_LARGE = { 431: 'the request line and headers are too large' };
export const LOADING = 'the first rates are being loaded';

/** Messages by status. */
export function errorResponses(messages: Readonly<Record<number, string>>): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(messages).map(([status, message]) => [
      status,
      jsonResponse(message, errorSchema, errorBody(new HttpError(Number(status), message))),
    ]),
  );
}
export function jsonResponse(description: string, schema: z.ZodType, example: unknown) {
  return { description, content: { 'application/json': { schema, example } } };
}
