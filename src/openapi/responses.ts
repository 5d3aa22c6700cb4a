import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { ERROR_CODES, type ErrorCode, errorBody, HttpError, tooManyRequests } from '../http/errors.js';

export const errorSchema = z
  .object({
    success: z.literal(false),
    status: z.number().int(),
    code: z.enum(ERROR_CODES).optional().meta({ description: 'Absent in `/v1`' }),
    message: z.string(),
    errors: z
      .array(z.object({ parameter: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Only if parameters are invalid' }),
  })
  .meta({ id: 'Error' });

/** The operator configures the requests per minute. */
export const TOO_MANY = { 429: tooManyRequests(600, 20) };
export const UNKNOWN_CURRENCY = ['unknown_currency', 'invalid currency: ZZZ'] as const;
export const UNKNOWN_PROVIDER = ['unknown_provider', 'invalid provider: ZZZ'] as const;
export const LOADING = 'the first rates are being loaded';

/** Most errors with these statuses name a parameter. */
const USUAL: Readonly<Record<string, ErrorCode>> = { 400: 'invalid_parameter', 422: 'invalid_parameter' };

/** Messages by status, with a code where it is not the usual one of the status. */
export function errorResponses(
  messages: Readonly<Record<number, string | readonly [ErrorCode, string]>>,
  contentOf: (error: HttpError) => ResponseConfig['content'] = (error) =>
    jsonContent(errorSchema, errorBody(error)),
): RouteConfig['responses'] {
  const described = Object.entries(messages).map(([status, text]) => {
    const [code, message] = typeof text === 'string' ? [USUAL[status], text] : text;
    const error = new HttpError(Number(status), message, { code });
    return [status, { description: message, content: contentOf(error) }];
  });
  return Object.fromEntries(described);
}

/** Made of the examples of its members. A list has one element. */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  return exampleWithin(schema) as z.output<Schema>;
}

function exampleWithin(schema: unknown): unknown {
  const { example } = z.globalRegistry.get(schema as z.ZodType) ?? {};
  if (example !== undefined) return example;
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape).map(([name, member]) => [name, exampleWithin(member)]);
    return Object.fromEntries(members);
  }
  if (schema instanceof z.ZodArray) return [exampleWithin(schema.element)];
  if (schema instanceof z.ZodNullable) return exampleWithin(schema.unwrap()) ?? null;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  return schema instanceof z.ZodLiteral ? schema.value : undefined;
}

export function jsonResponse(description: string, schema: z.ZodType, example: unknown = exampleOf(schema)) {
  return { description, content: jsonContent(schema, example) };
}

export function jsonContent(schema: z.ZodType, example: unknown) {
  return { 'application/json': { schema, example } };
}
