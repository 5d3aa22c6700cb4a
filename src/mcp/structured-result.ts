import { z } from 'zod';
import type { Route } from '../http/route.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns a JSON result as an object, as the protocol requires. */
export function structured(text: string): Record<string, unknown> {
  const result: unknown = JSON.parse(text);
  return Array.isArray(result) ? { rows: result } : Object(result);
}

/** Throws if the OpenAPI document does not describe JSON for the route. */
export function structuredSchemaOf({ path, description }: Route): JsonSchema {
  const reply = description?.responses[200];
  const content = reply && 'content' in reply ? reply.content?.['application/json'] : undefined;
  const schema = content && 'schema' in content ? content.schema : undefined;
  if (!(schema instanceof z.ZodType)) throw new Error(`the result of ${path} is not described`);
  const whole = schema instanceof z.ZodArray ? z.object({ rows: schema }) : schema;
  const described = z.toJSONSchema(whole, {
    override({ jsonSchema }) {
      // Members that are added later must not make a client refuse the result.
      delete jsonSchema.additionalProperties;
      delete jsonSchema.properties?.receipt;
    },
  });
  // No tool returns receipts, whose description takes thousands of characters.
  delete described.$defs?.Receipt;
  return described;
}
