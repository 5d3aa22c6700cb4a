import type { z } from 'zod';
import { UpstreamFault } from './upstream-error.js';

const FAULTS_NAMED = 3;

/** The upstream's body as the schema has it. Throws a `misfit` fault that names where it differs, not what stood there. */
export function fit<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues
    .slice(0, FAULTS_NAMED)
    .map((issue) => `${issue.path.join('.') || 'body'} (${issue.code})`);
  throw new UpstreamFault('misfit', `the answer doesn't fit: ${where.join(', ')}`);
}
