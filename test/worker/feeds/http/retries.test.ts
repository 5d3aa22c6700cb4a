import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HttpClientError } from '../../../../core/http-client/http-client-error.js';
import { waitBefore, withRetries } from '../../../../worker/feeds/http/retries.js';

const limits = { attempts: 3, backOff: 10, longestWait: 60_000 };
const request = { method: 'GET', url: 'https://bank.example' } as const;
const status = (code: number, retryAfterMs?: number) =>
  new HttpClientError('status', request, `responded with status ${code}`, { status: code, retryAfterMs });

/** How often a request is sent that always fails so, and the milliseconds that it takes in all. */
async function attemptsOf(error: Error, signal?: AbortSignal) {
  let attempts = 0;
  const started = performance.now();
  const pause = (ms: number) => sleep(ms, undefined, { signal });
  const thrown = await withRetries(limits, pause, async () => {
    attempts++;
    throw error;
  }).catch((failure: unknown) => failure);
  return { attempts, thrown, ms: performance.now() - started };
}

test('waits grow, and are never shorter than what the server asks for', () => {
  expect(waitBefore(1, 0, 1_000)).toBeGreaterThanOrEqual(500);
  expect(waitBefore(1, 0, 1_000)).toBeLessThanOrEqual(1_000);
  expect(waitBefore(2, 0, 1_000)).toBeGreaterThanOrEqual(1_000);
  expect(waitBefore(2, 0, 1_000)).toBeLessThanOrEqual(2_000);
  expect(waitBefore(1, 7_000, 1_000)).toBe(7_000);
});

describe('further attempts', () => {
  test.each([status(503), new HttpClientError('connection', request, 'lost')])(
    'end after their number, with the last error: %s',
    async (error) => {
      expect(await attemptsOf(error)).toMatchObject({ attempts: 3, thrown: error });
    },
  );

  test('wait as long as the server asks for', async () => {
    const { attempts, ms } = await attemptsOf(status(429, 60));
    expect(attempts).toBe(3);
    expect(ms).toBeGreaterThanOrEqual(118);
  });

  test.each([
    ['an error that would only repeat', status(404)],
    ['a server that asks for more patience than there is', status(429, 61_000)],
    ['a certificate', new HttpClientError('certificate', request, 'expired')],
    ['what is no error of the client', new TypeError('a mistake')],
  ])('do not come for %s', async (_, error) => {
    expect(await attemptsOf(error)).toMatchObject({ attempts: 1, thrown: error });
  });

  test('stop with the wait', async () => {
    const { attempts, ms } = await attemptsOf(status(503, 50_000), AbortSignal.timeout(50));
    expect(attempts).toBe(1);
    expect(ms).toBeLessThan(20_000);
  });
});
