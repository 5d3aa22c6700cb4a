import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../core/database/database.js';
import { readConfig } from '../../../core/process/config.js';
import { createAdmin } from '../../../src/operations/admin/create-admin.js';
import { healthRoutes } from '../../../src/operations/health.js';
import { openMetrics } from '../../../src/operations/metrics.js';
import { metricsRoutes } from '../../../src/operations/metrics-route.js';
import type { Probes } from '../../../src/operations/probes.js';
import { log, TOKEN } from './support.js';

const clock = () => new Date();
const database = {} as Database;
const probes = {} as Probes;
const snapshot = { current: () => undefined, isStale: () => false, confirmedAt: () => undefined };
const config = readConfig({ ADMIN_TOKEN: TOKEN });
/** Made by each test, so that what a test sees belongs to it. */
const routes = () => [
  ...createAdmin({ config, clock, log, database }).routes,
  ...healthRoutes({ snapshot, catalogue: snapshot, probes }),
  ...metricsRoutes({ metrics: openMetrics(), probes, snapshot, database, clock }),
];

const text = z.string().min(3);
const responses = z.record(
  z.string().regex(/^[2-5]\d\d$/),
  z.object({
    description: text,
    content: z
      .record(z.string(), z.object({ schema: z.instanceof(z.ZodType), example: z.unknown() }))
      .optional(),
  }),
);

it('each route of operators is described, with examples that are what it replies', () => {
  const described = routes().flatMap(({ path, description }) => (description ? [{ path, description }] : []));
  expect(described.length).toBeGreaterThan(10);
  for (const { path, description } of described) {
    z.object({ summary: text, tags: z.array(text).min(1) }).parse(description);
    const told = Object.values(responses.parse(description.responses));
    const contents = told.flatMap(({ content = {} }) => Object.values(content));
    expect(contents, path).toHaveLength(told.length);
    for (const { schema, example } of contents) {
      expect(schema.safeParse(example), path).toMatchObject({ success: true });
      expect(example, path).not.toBe('');
    }
  }
});
