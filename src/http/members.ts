import type { z } from 'zod';

/** The members that a schema lists, in its order: a copy out of a cache or a row may have others, and in any order. */
export function membersOf<Schema extends z.ZodObject>(
  schema: Schema,
  given: z.output<Schema>,
): z.output<Schema> {
  const members = Object.keys(schema.shape).map((name) => [name, given[name as keyof typeof given]]);
  return Object.fromEntries(members) as z.output<Schema>;
}
