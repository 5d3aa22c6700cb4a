import canonicalize from 'canonicalize';
import { z } from 'zod';
import { type Fault, PublicationError } from './publication-error.js';

/** The canonical JSON (RFC 8785) of a value. */
export function canonicalBytes(value: object): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('there is no JSON of it');
  return Buffer.from(text);
}

/** Parses canonical JSON. Throws a PublicationError with the fault if it is of another form. */
export function parseCanonical<T extends object>(schema: z.ZodType<T>, bytes: Buffer, fault: Fault): T {
  const parsed = schema.safeParse(parseJson(bytes, fault));
  if (!parsed.success) throw new PublicationError(fault, z.prettifyError(parsed.error));
  if (!canonicalBytes(parsed.data).equals(bytes)) throw new PublicationError(fault, 'is not canonical JSON');
  return parsed.data;
}

function parseJson(bytes: Buffer, fault: Fault): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw new PublicationError(fault, 'is not JSON', { cause });
  }
}
