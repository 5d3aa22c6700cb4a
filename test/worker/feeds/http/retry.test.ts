import { expect, test } from 'vitest';
import { HttpFailure } from '../../../../worker/feeds/http/failure.js';
import { retryAfterOf, waitBeforeRetry } from '../../../../worker/feeds/http/retry.js';

const limits = { attempts: 3, backOff: 1000, longestWait: 60_000 };
const failure = (status: number, retryAfter?: number) =>
  new HttpFailure('status', 'https://bank.example', `answered ${status}`, status, retryAfter);

test('Retry-After in seconds and as a date', () => {
  const now = Date.parse('2026-03-02T10:00:00Z');
  expect(retryAfterOf('7', now)).toBe(7000);
  expect(retryAfterOf('Mon, 02 Mar 2026 10:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterOf('Mon, 02 Mar 2026 09:00:00 GMT', now)).toBe(0);
  expect(retryAfterOf('soon', now)).toBeUndefined();
  expect(retryAfterOf(undefined, now)).toBeUndefined();
});

test('waits grow, and are never shorter than what the server asks for', () => {
  const first = waitBeforeRetry(failure(503), 1, limits) ?? 0;
  const second = waitBeforeRetry(failure(503), 2, limits) ?? 0;
  expect(first).toBeGreaterThanOrEqual(500);
  expect(first).toBeLessThanOrEqual(1000);
  expect(second).toBeGreaterThanOrEqual(1000);
  expect(second).toBeLessThanOrEqual(2000);
  expect(waitBeforeRetry(failure(429, 7000), 1, limits)).toBe(7000);
});

test('no further attempt where it would only repeat, or the wait is too long, or there were enough', () => {
  expect(waitBeforeRetry(failure(404), 1, limits)).toBeUndefined();
  expect(waitBeforeRetry(failure(429, 61_000), 1, limits)).toBeUndefined();
  expect(waitBeforeRetry(failure(503), 3, limits)).toBeUndefined();
  expect(
    waitBeforeRetry(new HttpFailure('certificate', 'https://bank.example', 'expired'), 1, limits),
  ).toBeUndefined();
});
