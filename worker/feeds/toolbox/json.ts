import type * as z from 'zod';
import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';

/**
 * Parses the JSON of a response according to a schema. Removes keys that are not in the schema. Also removes list elements
 * of another form, and counts them as malformed in the response's Reading. Throws a FeedError with the path and the start of
 * the body for any other mismatch, and for a large response in which more than a few elements have another form. A schema
 * may make a field optional only if the source documents that; otherwise a renamed field would be read as "no rate".
 */
export function parseJson<Schema extends z.ZodType>(response: HttpAnswer, schema: Schema): z.infer<Schema> {
  const content = response.json();
  const isLarge = countValues(content) > MOST_VALUES_AT_ONCE;
  for (let rounds = 1; ; rounds++) {
    const parsed = schema.safeParse(content, isLarge ? FIRST_ISSUES : {});
    if (parsed.success) return parsed.data;
    const odd = oddElements(parsed.error.issues);
    const [issue] = parsed.error.issues;
    const isHopeless = isLarge && rounds > MOST_ROUNDS;
    if (odd.size === 0 || isHopeless || !removeAll(content, odd, response)) {
      const [left, ...others] = response.oddRecords;
      const what = issue ? wordsOf(deepest(issue)) : 'unreadable';
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

/** Up to this number of values, all issues of a response are collected at once, at some hundred bytes each. */
const MOST_VALUES_AT_ONCE = 50_000;
/** In larger responses only the first issues are collected, and the rest is parsed again, up to this many times. */
const MOST_ROUNDS = 20;
/** Stops a list at its first element with an issue. Zod uses it for its own `validate`; its types omit it. */
const FIRST_ISSUES = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

/** The number of values in the content, including containers. Stops counting soon after the limit. */
function countValues(content: unknown): number {
  const open = [content];
  let count = 0;
  while (open.length > 0 && count + open.length <= MOST_VALUES_AT_ONCE) {
    const value = open.pop();
    count++;
    // Not spread, because a list may be longer than the maximum number of arguments.
    if (value instanceof Object) for (const inner of Object.values(value)) open.push(inner);
  }
  return count + open.length;
}

type Path = readonly PropertyKey[];
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

function wordsOf({ path, message }: Issue): string {
  return `${path.map(String).join('.') || 'top level'}: ${message}`;
}

/** The list elements with issues, by path, with the first issue of each. Empty if any issue is outside a list. */
function oddElements(issues: readonly z.core.$ZodIssue[]): Map<string, { path: Path; what: string }> {
  const elements = new Map<string, { path: Path; what: string }>();
  for (const issue of issues) {
    const end = issue.path.findLastIndex((step) => typeof step === 'number') + 1;
    if (end === 0) return new Map();
    const element = issue.path.slice(0, end);
    const key = JSON.stringify(element);
    if (elements.has(key)) continue;
    const { path, message } = deepest(issue);
    const field = path.slice(end).map(String).join('.');
    elements.set(key, { path: element, what: `${field || 'record'}: ${message}` });
  }
  return elements;
}

/** Removes elements from their lists; false if there is no list. Finds all lists first, as removals shift the paths. */
function removeAll(
  content: unknown,
  elements: ReadonlyMap<string, { path: Path; what: string }>,
  response: HttpAnswer,
): boolean {
  const places = [...elements.values()].map(({ path, what }) => ({
    list: path
      .slice(0, -1)
      .reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)?.[step], content),
    at: Number(path.at(-1)),
    what,
  }));
  for (const { list, at, what } of places.sort((one, other) => other.at - one.at)) {
    if (!Array.isArray(list)) return false;
    const [record] = list.splice(at, 1);
    // A list that is too short has an issue without an element.
    if (record === undefined) return false;
    response.oddRecords.push(`${JSON.stringify(record)?.slice(0, 160)}: ${what}`);
  }
  return true;
}
