import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Exchange } from '../../../src/http/exchange.js';
import { createAccessLog } from '../../../src/operations/access-log.js';

/** Exchanges that are over: their targets, statuses, and durations in milliseconds. */
const ENDED = [
  ['/v2/rates?day=1', 200, 1.23456],
  ['/v2/rates?day=2', 200, 100],
  ['/v2/rates?day=3', 200, 100.5],
  ['/v2/rates?day=4', 404, 1],
  ['/v2/rates?day=5', 500, 1],
  ['/health/live', 503, 1],
] as const;

/** The log after these exchanges. */
async function logged(level: string) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const counted: unknown[][] = [];
  const note = createAccessLog(log, (...given) => counted.push(given));
  for (const [url, statusCode, durationMs] of ENDED) {
    const parts = { id: url, request: { method: 'GET', url }, response: { statusCode }, durationMs };
    note({ ...parts, route: '/v2/rates', outcome: 'finished' } as unknown as Exchange);
  }
  await setImmediate();
  return { lines, counted, urls: () => lines.map(({ url }) => url) };
}

it('has a line for each at debug', async () => {
  const { lines, urls } = await logged('debug');
  expect(urls()).toEqual(ENDED.map(([url]) => url));
  expect(lines[0]).toMatchObject({ method: 'GET', status: 200, ms: 1.235, msg: 'request' });
  expect(lines.map(({ level }) => level)).toEqual([20, 20, 30, 20, 30, 20]);
});

it('has a line for what failed or took more than 100 ms', async () => {
  const { urls } = await logged('info');
  expect(urls()).toEqual(['/v2/rates?day=3', '/v2/rates?day=5']);
});

it('has no line above info, and counts all the same', async () => {
  const { lines, counted } = await logged('warn');
  expect(lines).toEqual([]);
  expect(counted).toEqual(ENDED.map(([, status, ms]) => ['GET', '/v2/rates', status, ms / 1000]));
});
