import { z } from 'zod';
import type { Route } from '../http/route.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The structured form of a result, whose text is JSON: an object, as the protocol wants one. */
export function structured(text: string): Record<string, unknown> {
  const result: unknown = JSON.parse(text);
  return Array.isArray(result) ? { rows: result } : Object(result);
}

/** Describes the structured results of a route, as its OpenAPI document does. Throws if that has no JSON. */
export function structuredSchemaOf({ path, description }: Route): JsonSchema {
  const reply = description?.responses[200];
  const content = reply && 'content' in reply ? reply.content?.['application/json'] : undefined;
  const schema = content && 'schema' in content ? content.schema : undefined;
  if (!(schema instanceof z.ZodType)) throw new Error(`the result of ${path} is not described`);
  const rows = [schema, ...(schema instanceof z.ZodUnion ? schema.options : [])].find(
    (one) => one instanceof z.ZodArray,
  );
  // Tools ask for rows where there are other forms too.
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
