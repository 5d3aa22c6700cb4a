import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAccessLog } from '../../../src/http/access-log.js';
import type { Exchange } from '../../../src/http/exchange.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** An exchange that is over. */
function ended(url: string, statusCode: number, durationMs: number): Exchange {
  const parts = { id: url, request: { method: 'GET', url }, response: { statusCode }, route: '/v2/rates' };
  return { ...parts, durationMs, outcome: 'finished' } as unknown as Exchange;
}

const ENDED = [
  ended('/v2/rates?day=1', 200, 1.23456),
  ended('/v2/rates?day=2', 200, 100),
  ended('/v2/rates?day=3', 200, 100.5),
  ended('/v2/rates?day=4', 404, 1),
  ended('/v2/rates?day=5', 500, 1),
  ended('/health/live', 503, 1),
];

/** Lines that are at hand after these exchanges, without what all of them have. */
async function logged(which: 'all' | 'slow' | 'off', level = 'info') {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const counted: unknown[][] = [];
  const note = createAccessLog(log, which, (...given) => counted.push(given));
  const noteAll = async () => {
    for (const exchange of ENDED) note(exchange);
    await setImmediate();
  };
  await noteAll();
  return { lines, noteAll, counted };
}

const urls = (lines: Record<string, unknown>[]) => lines.map(({ url }) => url);

it('has a line for each, those that come every few seconds at debug', async () => {
  const { lines } = await logged('all');
  expect(urls(lines)).toEqual([1, 2, 3, 4, 5].map((day) => `/v2/rates?day=${day}`));
  expect(lines[0]).toMatchObject({ method: 'GET', status: 200, ms: 1.235, msg: 'request' });
  expect((await logged('all', 'debug')).lines).toHaveLength(6);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(5);
});

it('has a line for what failed or took more than 100 ms, and one a minute for all', async () => {
  const { lines, noteAll } = await logged('slow');
  expect(urls(lines)).toEqual(['/v2/rates?day=3', '/v2/rates?day=5']);
  expect(urls((await logged('slow', 'debug')).lines)).toContain('/health/live');
  await noteAll();
  vi.advanceTimersByTime(59_999);
  expect(lines).toHaveLength(4);
  vi.advanceTimersByTime(1);
  expect(lines[4]).toMatchObject({
    msg: 'requests of a minute',
    requests: 12,
    statuses: { 200: 6, 404: 2, 500: 2, 503: 2 },
  });
  await noteAll();
  vi.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toMatchObject({ requests: 6, statuses: { 200: 3, 404: 1, 500: 1, 503: 1 } });
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(8);
});

it('has no line where it is off, and counts all the same', async () => {
  const { lines, counted } = await logged('off');
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([]);
  expect(counted).toEqual(
    ENDED.map(({ durationMs, response }) => ['GET', '/v2/rates', response.statusCode, durationMs / 1000]),
  );
});
