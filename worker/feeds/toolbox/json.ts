import type * as z from 'zod';
import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';
import { occursMoreThan } from './bounds.js';
import { textOf } from './page-guard.js';

/**
 * Parses the JSON of a response according to a schema. Removes keys that are not in the schema. Also removes list elements
 * of another form, and counts them as malformed in the response's Reading. Throws a FeedError with the path and the start of
 * the body for any other mismatch, and for a large response in which more than a few elements have another form. A schema
 * may make a field optional only if the source documents that; otherwise a renamed field would be read as "no rate".
 */
export function parseJson<Schema extends z.ZodType>(response: HttpAnswer, schema: Schema): z.infer<Schema> {
  const content = contentOf(response);
  for (let rounds = 1; ; rounds++) {
    const parsed = schema.safeParse(content, FIRST_ISSUE);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const isHopeless = rounds * response.bytes.length > MOST_BYTES;
    if (!issue || isHopeless || !removeElement(content, issue, response)) {
      const [left, ...others] = response.oddRecords;
      const what = issue ? wordsOf(deepest(issue), 'top level') : 'unreadable';
      const without =
        left === undefined ? '' : `; without ${others.length + 1} odd elements, such as ${left}`;
      throw new FeedError(
        `${response.url}: not in its documented form at ${what}${without} (${excerpt(response.text())})`,
      );
    }
  }
}

/** Like parseJson, but throws a FeedError for an odd element of a list, as it may be any part of it. */
export function parseWholeJson<Schema extends z.ZodType>(
  response: HttpAnswer,
  schema: Schema,
): z.infer<Schema> {
  const content = parseJson(response, schema);
  const [odd] = response.oddRecords;
  if (odd !== undefined) throw new FeedError(`${response.url}: not in its documented form: ${odd}`);
  return content;
}

/** A response is checked again after each odd element, for this many bytes in all. */
const MOST_BYTES = 64 * 1024 * 1024;
/**
 * Stops at the first issue, as the issues of a large list would fill the memory. Zod uses it for its own `validate`; its types
 * omit it.
 */
const FIRST_ISSUE = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

const MOST_CONTAINERS = 2_000_000;

function contentOf(response: HttpAnswer): unknown {
  const text = textOf(response, 'JSON');
  if (occursMoreThan(text, '{', MOST_CONTAINERS) || occursMoreThan(text, '[', MOST_CONTAINERS))
    throw new FeedError(`${response.url}: JSON of more than ${MOST_CONTAINERS} objects or lists`);
  try {
    // Drop a key that would become an object's prototype in a careless copy. It never carries a rate.
    return text.includes('__proto__') ? JSON.parse(text, dropPrototype) : JSON.parse(text);
  } catch {
    throw new FeedError(`${response.url}: responded with no JSON (${excerpt(text)})`);
  }
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** If a value may have one of several forms, the issue of the closest form. */
function deepest(issue: z.core.$ZodIssue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  return issue.errors
    .flat()
    .map((inner): Issue => {
      const { path, message } = deepest(inner);
      return { path: [...issue.path, ...path], message };
    })
    .reduce<Issue>((best, one) => (one.path.length > best.path.length ? one : best), issue);
}

function wordsOf({ path, message }: Issue, place: string): string {
  return `${path.map(String).join('.') || place}: ${message}`;
}

/** Removes the element with the issue from its list, and counts it. False if the issue is not in an element of a list. */
function removeElement(content: unknown, issue: z.core.$ZodIssue, response: HttpAnswer): boolean {
  const at = issue.path.findLastIndex((step) => typeof step === 'number');
  if (at < 0) return false;
  const list = issue.path
    .slice(0, at)
    .reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)?.[step], content);
  if (!Array.isArray(list)) return false;
  const [record] = list.splice(Number(issue.path[at]), 1);
  // A list that is too short has an issue without an element.
  if (record === undefined) return false;
  const { path, message } = deepest(issue);
  const what = wordsOf({ path: path.slice(at + 1), message }, 'record');
  response.oddRecords.push(`${JSON.stringify(record)?.slice(0, 160)}: ${what}`);
  return true;
}
