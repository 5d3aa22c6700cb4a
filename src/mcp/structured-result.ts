import { z } from 'zod';
import type { Route } from '../http/route.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A result in JSON as an object, as the protocol requires. */
export function structured(text: string): Record<string, unknown> {
  const result: unknown = JSON.parse(text);
  return Array.isArray(result) ? { rows: result } : Object(result);
}

/** Describes the structured results of a route, as its OpenAPI document does. Throws if it does not describe JSON. */
export function structuredSchemaOf({ path, description }: Route): JsonSchema {
  const reply = description?.responses[200];
  const content = reply && 'content' in reply ? reply.content?.['application/json'] : undefined;
  const schema = content && 'schema' in content ? content.schema : undefined;
  if (!(schema instanceof z.ZodType)) throw new Error(`the result of ${path} is not described`);
  const rows = [schema, ...(schema instanceof z.ZodUnion ? schema.options : [])].find(
    (one) => one instanceof z.ZodArray,
  );
  // Where a route has several forms of result, tools ask for rows.
  const whole = rows ? z.object({ rows }) : schema;
  const described = z.toJSONSchema(whole, {
    override({ jsonSchema }) {
      // Members that are added later must not make a client refuse the result.
      delete jsonSchema.additionalProperties;
      delete jsonSchema.properties?.receipt;
    },
  });
  // No tool gives receipts, which take thousands of characters to describe.
  delete described.$defs?.Receipt;
  return described;
}
