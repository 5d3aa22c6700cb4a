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

it('each route of operators is described, with examples of what it replies', () => {
  const clock = () => new Date();
  const probes = {} as Probes;
  const snapshot = { current: () => undefined, isStale: () => false, confirmedAt: () => undefined };
  const config = readConfig({ ADMIN_TOKEN: TOKEN });
  const described = [
    ...createAdmin({ config, clock, log, database: {} as Database }).routes,
    ...healthRoutes({ snapshot, catalogue: snapshot, probes }),
    ...metricsRoutes({ metrics: openMetrics(), probes, snapshot, clock }),
  ].filter(({ description }) => description !== undefined);
  expect(described.length).toBeGreaterThan(10);
  const text = z.string().min(3);
  for (const { path, description } of described) {
    z.object({ summary: text, tags: z.array(text).min(1) }).parse(description);
    const responses = Object.entries(description?.responses ?? {});
    expect(responses.length, path).toBeGreaterThan(0);
    for (const [status, response] of responses) {
      expect(status).toMatch(/^[2-5]\d\d$/);
      const { content = {} } = z.object({ description: text, content: z.unknown() }).parse(response) as {
        content?: Record<string, { schema: z.ZodType; example: unknown }>;
      };
      const [only, ...others] = Object.values(content);
      expect(others, path).toEqual([]);
      expect(only?.schema.safeParse(only.example), path).toMatchObject({ success: true });
      expect(only?.example, path).not.toBe('');
    }
  }
});
