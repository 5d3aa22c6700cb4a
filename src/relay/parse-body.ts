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

/** Upstreams nest their values at most seven deep. */
const DEEPEST = 32;
/** A hundred places, each with several hundred postcodes. */
const MOST_VALUES = 100_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws an `invalid` UpstreamError, also for a body so deep or long that checking it would block other requests. */
export function parseJson(bytes: Uint8Array): unknown {
  checkBounds(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's message quotes the body, so it is dropped.
    throw new UpstreamError('invalid', `the response of ${bytes.length} bytes is not JSON`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

function checkBounds(bytes: Uint8Array): void {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (byte === BACKSLASH) at++;
    else if (isInString) continue;
    else if (byte === COMMA) values++;
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > DEEPEST) throw new UpstreamError('invalid', `the response is nested over ${DEEPEST} deep`);
    if (values > MOST_VALUES)
      throw new UpstreamError('invalid', `the response holds over ${MOST_VALUES} values`);
  }
}
