import * as z from 'zod';
import { UpstreamError } from './upstream-error.js';

const ISSUES_NAMED = 3;

/** Throws an `invalid` UpstreamError that names the invalid members, but no values. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues
    .slice(0, ISSUES_NAMED)
    .map((issue) => `${issue.path.join('.') || 'body'} (${issue.code})`);
  throw new UpstreamError('invalid', `the response is invalid: ${where.join(', ')}`);
}

/** Reads the first `most` elements: the schema would record a fault for each of tens of thousands. */
export function arrayOf<Element extends z.ZodType>(element: Element, most: number) {
  return z.preprocess((value) => (Array.isArray(value) ? value.slice(0, most) : value), z.array(element));
}
