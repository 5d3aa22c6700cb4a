import { beforeEach, expect, it } from 'vitest';
import { QueueFull, WaitTooLong } from '../../../core/concurrency/semaphore.js';
import { bytesOf, createAdmission } from '../../../src/http/admission.js';
import { Exchange } from '../../../src/http/exchange.js';
import { exchangeOf } from './support.js';

const MEBIBYTE = 1024 * 1024;
const whole = (wholeBytes: number) => ({ rows: 0, rawDays: 0, wholeBytes });

it.each([
  [{ rows: 0, rawDays: 0 }, 0],
  [{ rows: 10, rawDays: 0 }, 960],
  [{ rows: 1_000_000, rawDays: 0 }, 1.5 * MEBIBYTE],
  [{ rows: 0, rawDays: 2 }, 2 * 30 * 1024],
  [{ rows: 0, rawDays: 92 }, 92 * 30 * 1024],
  [{ rows: 0, rawDays: 10_000 }, 92 * 30 * 1024],
  [{ rows: 10, rawDays: 1, wholeBytes: 7 }, 960 + 30 * 1024 + 7],
])('%j is held in %i bytes', (cost, bytes) => {
  expect(bytesOf(cost)).toBe(bytes);
});

let admission: ReturnType<typeof createAdmission>;
beforeEach(() => {
  admission = createAdmission({ requests: 2, requestsPerClient: 1, bufferedBytes: 4 * MEBIBYTE });
});

/** Whether a request of the client waits for room until it leaves. */
async function waitsForRoom(bytes: number): Promise<boolean> {
  const waiting = exchangeOf('a');
  const admitted = admission.admit(waiting, whole(bytes));
  waiting.end('aborted');
  return admitted !== undefined && (await Promise.allSettled([admitted]))[0].status === 'rejected';
}

it('admission counts requests until they are over', () => {
  const first = exchangeOf('a');
  expect(admission.enter(first)).toBeUndefined();
  expect(admission.enter(exchangeOf('a'))).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect(admission.enter(exchangeOf('b'))).toBeUndefined();
  expect(admission.enter(exchangeOf('c'))).toMatchObject({ status: 503 });
  first.end('finished');
  expect(admission.enter(exchangeOf('a'))).toBeUndefined();
});

it('admission takes 64 kibibytes for little, which always passes', async () => {
  const holding = exchangeOf('a');
  expect(admission.admit(holding, whole(MEBIBYTE))).toBeUndefined();
  expect(admission.admit(exchangeOf('a'), whole(64 * 1024))).toBeUndefined();
  expect(await waitsForRoom(64 * 1024 + 1)).toBe(true);
});

it('admission gives a client a quarter, and room again when a request is over', async () => {
  const holding = exchangeOf('a');
  expect(admission.admit(holding, whole(MEBIBYTE - 70_000))).toBeUndefined();
  expect(admission.admit(exchangeOf('a'), whole(70_000))).toBeUndefined();
  const waiting = exchangeOf('a');
  const admitted = admission.admit(waiting, whole(70_000));
  await admission.admit(exchangeOf('b'), whole(MEBIBYTE));
  holding.end('finished');
  await admitted;
  // What has waited holds its room as well.
  expect(await waitsForRoom(MEBIBYTE - 139_999)).toBe(true);
  waiting.end('aborted');
  expect(admission.admit(exchangeOf('c'), whole(MEBIBYTE))).toBeUndefined();
});

it('admission waits for as long as the wait budget of a request lasts', async () => {
  admission.admit(exchangeOf('a'), whole(MEBIBYTE));
  const waiting = exchangeOf('a');
  waiting.waitBudget.leftMs = 5;
  await expect(admission.admit(waiting, whole(100_000))).rejects.toThrow(WaitTooLong);
});

it('admission lets a thousand wait', async () => {
  admission.admit(exchangeOf('a'), whole(MEBIBYTE));
  const exchanges = Array.from({ length: 1_000 }, () => exchangeOf('a'));
  const waiting = exchanges.map((exchange) => admission.admit(exchange, whole(100_000)));
  await expect(admission.admit(exchangeOf('b'), whole(100_000))).rejects.toThrow(QueueFull);
  for (const exchange of exchanges) exchange.end('aborted');
  const outcomes = await Promise.allSettled(waiting);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
});

it('admission refuses a client that has left while it waits', async () => {
  admission.admit(exchangeOf('a'), whole(MEBIBYTE));
  const leaving = exchangeOf('a');
  const waiting = admission.admit(leaving, whole(100_000));
  leaving.end('aborted');
  await expect(waiting).rejects.toBe(leaving.signal.reason);
});

it.each<[boolean, (string | undefined)[]]>([
  [true, ['abc-123', 'A.b:c/d+e=f@g_h', 'x'.repeat(128)]],
  [false, ['x'.repeat(129), '', 'a b', 'a\n', undefined]],
])('an exchange takes an id that is sent: %s, for %j', (isTaken, sent) => {
  for (const given of sent) {
    const { id, headersToSend } = exchangeOf('a', { 'x-request-id': given });
    if (isTaken) expect(id).toBe(given);
    else expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(headersToSend).toEqual(['x-request-id', id]);
  }
});

it('an exchange has an id that no other one has', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => exchangeOf('a').id)).size).toBe(1_000);
});

it('an exchange ends once, and calls back all that wait for its end, those that come later at once', async () => {
  const exchange = exchangeOf('a');
  const { signal } = exchange;
  const called: string[] = [];
  for (const name of ['one', 'two', 'three']) exchange.whenOver(() => called.push(name));
  expect([exchange.outcome, exchange.durationMs, called]).toEqual([undefined, 0, []]);
  await new Promise(setImmediate);
  exchange.end('finished');
  exchange.end('aborted');
  expect(exchange.durationMs).toBeGreaterThan(0);
  expect(exchange.durationMs).toBeLessThanOrEqual(performance.now() - exchange.startedAt);
  exchange.whenOver(() => called.push('late'));
  expect(called).toEqual(['one', 'two', 'three', 'late']);
  expect([exchange.outcome, signal.aborted]).toEqual(['finished', false]);
});

it('an exchange aborts its signal where the client has left, even one that is asked for later', () => {
  const early = exchangeOf('a');
  const { signal } = early;
  early.end('aborted');
  expect(signal.aborted).toBe(true);
  expect(early.signal).toBe(signal);
  const late = exchangeOf('a');
  late.end('aborted');
  expect(late.signal.aborted).toBe(true);
});

it('an exchange has one waitBudget of two seconds for all that it does', () => {
  const exchange = exchangeOf('a');
  expect(exchange.waitBudget).toEqual({ leftMs: 2_000 });
  expect(exchange.waitBudget).toBe(exchange.waitBudget);
  expect(exchange).toMatchObject({ route: 'unmatched', params: {}, isSecure: false });
  expect(exchange.headers).toBe(exchange.request.headers);
  expect(exchange).toBeInstanceOf(Exchange);
});
