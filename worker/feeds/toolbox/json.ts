import type { z } from 'zod';
import { FeedError } from '../feed.js';
import type { HttpAnswer } from '../http/client.js';
import { excerpt } from '../http/response.js';

/**
 * The JSON of an answer in the form that the schema names; keys it does not name are left out. Throws a FeedError
 * with the path and the start of the body where the form is another.
 */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, answer: HttpAnswer): z.infer<Schema> {
  const parsed = schema.safeParse(answer.json());
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String).join('.') || 'top level';
  throw new FeedError(
    `${answer.url}: not in its documented form at ${path}: ${issue?.message} (${excerpt(answer.text())})`,
  );
}
