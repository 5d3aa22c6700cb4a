import type { z } from 'zod';
import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';

/**
 * The JSON of a response in the form that the schema names; keys it does not name are left out. Elements of lists
 * that have another form are left out too, and count as malformed in the response's Reading; anything else in
 * another form throws a FeedError with the path and the start of the body. A schema lets a field be absent only
 * where the source documents that it may be: otherwise a renamed field would read as "no rate".
 */
export function parseJson<Schema extends z.ZodType>(response: HttpAnswer, schema: Schema): z.infer<Schema> {
  const content = response.json();
  for (;;) {
    const parsed = schema.safeParse(content);
    if (parsed.success) return parsed.data;
    const odd = oddElements(parsed.error.issues);
    const [issue] = parsed.error.issues;
    if (odd.size === 0 || !removeAll(content, odd, response)) {
      const path = issue?.path.map(String).join('.') || 'top level';
      throw new FeedError(
        `${response.url}: not in its documented form at ${path}: ${issue?.message} (${excerpt(response.text())})`,
      );
    }
  }
}

/**
 * Like parseJson, for a source whose lists have no odd elements: one in another form throws a FeedError, as it may be
 * any part of the list.
 */
export function parseWholeJson<Schema extends z.ZodType>(
  response: HttpAnswer,
  schema: Schema,
): z.infer<Schema> {
  const content = parseJson(response, schema);
  const [odd] = response.oddRecords;
  if (odd !== undefined) throw new FeedError(`${response.url}: not in its documented form: ${odd}`);
  return content;
}

type Path = readonly PropertyKey[];

/** The list elements in which the issues lie, by path, with the first issue of each; none where one lies outside. */
function oddElements(issues: readonly z.core.$ZodIssue[]): Map<string, { path: Path; what: string }> {
  const elements = new Map<string, { path: Path; what: string }>();
  for (const { path, message } of issues) {
    const end = path.findLastIndex((step) => typeof step === 'number') + 1;
    if (end === 0) return new Map();
    const element = path.slice(0, end);
    const field = path.slice(end).map(String).join('.');
    const key = JSON.stringify(element);
    if (!elements.has(key)) elements.set(key, { path: element, what: `${field || 'record'}: ${message}` });
  }
  return elements;
}

/** Takes the elements out of their lists, last ones first; false where a path leads to no list. */
function removeAll(
  content: unknown,
  elements: ReadonlyMap<string, { path: Path; what: string }>,
  response: HttpAnswer,
): boolean {
  const lastFirst = [...elements.values()].sort(
    (one, other) => Number(other.path.at(-1)) - Number(one.path.at(-1)),
  );
  for (const { path, what } of lastFirst) {
    const list = path
      .slice(0, -1)
      .reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)?.[step], content);
    if (!Array.isArray(list)) return false;
    const [record] = list.splice(Number(path.at(-1)), 1);
    // A list that is too short has an issue where there is no element.
    if (record === undefined) return false;
    response.oddRecords.push(`${JSON.stringify(record)?.slice(0, 160)}: ${what}`);
  }
  return true;
}
