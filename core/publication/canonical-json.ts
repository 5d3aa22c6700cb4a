import canonicalize from 'canonicalize';
import * as z from 'zod';
import { type Fault, PublicationError } from './publication-error.js';

/** RFC 8785. */
export function canonicalBytes(value: object): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('the value has no JSON form');
  return Buffer.from(text);
}

/** Throws a PublicationError with the fault if it is not canonical JSON of the schema. */
export function parseCanonical<T extends object>(schema: z.ZodType<T>, bytes: Buffer, fault: Fault): T {
  const value = parseJson(schema, bytes, fault);
  if (!canonicalBytes(value).equals(bytes)) throw new PublicationError(fault, 'is not canonical JSON');
  return value;
}

/** Throws a PublicationError with the fault if it does not match the schema. */
export function parseJson<T>(schema: z.ZodType<T>, bytes: Buffer, fault: Fault): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new PublicationError(fault, 'is not JSON', { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new PublicationError(fault, z.prettifyError(parsed.error));
  return parsed.data;
}
