import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseJson } from '../../../../worker/feeds/toolbox/json.js';
import { answerOf } from './answer.js';

test('a large JSON in another form ends soon', () => {
  const bad = answerOf(`{"rates":[${Array(3_000_000).fill(1).join()}]}`);
  parseJson(bad, z.unknown());
  const before = process.memoryUsage();
  const started = process.cpuUsage();
  const form = z.object({ rates: z.array(z.object({ code: z.string(), rate: z.number() })) });
  expect(() => parseJson(bad, form)).toThrow(/not in its documented form at rates\.0/);
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  expect((process.memoryUsage().heapUsed - before.heapUsed) / 2 ** 20).toBeLessThan(400);
});
