import { z } from 'zod';

/** Members named after a currency, a pair or a day. */
const NAMES = /^(?:[A-Z]{3}|[A-Z]{6}|\d{4}-\d{2}-\d{2})$/;

/** Derives a schema from an example of texts, numbers, booleans, lists and objects. */
export function schemaOf(example: unknown): z.ZodType {
  if (typeof example === 'string') return z.string();
  if (typeof example === 'number') return z.number();
  if (typeof example === 'boolean') return z.boolean();
  if (Array.isArray(example)) return z.array(schemaOf(example[0]));
  const members = Object.entries(example ?? {});
  const [[name, value] = ['', undefined]] = members;
  if (NAMES.test(name)) return z.record(z.string(), schemaOf(value));
  return z.object(Object.fromEntries(members.map(([name, value]) => [name, schemaOf(value)])));
}
