import type { z } from 'zod';

/** A response in JSON, as the description of a route names it. */
export function jsonResponse(description: string, schema: z.ZodType, example: unknown) {
  return { description, content: { 'application/json': { schema, example } } };
}
