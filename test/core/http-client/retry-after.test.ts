import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../core/http-client/send-request.js';

const now = Date.parse('2026-03-02T10:00:00Z');

test.each([
  ['7', 7_000],
  [' 0 ', 0],
  ['Mon, 02 Mar 2026 10:00:30 GMT', 30_000],
  ['Monday, 02-Mar-26 10:00:30 GMT', 30_000],
  ['Mon Mar  2 10:00:30 2026', 30_000],
  ['soon', undefined],
  ['1.5', undefined],
  ['2026-03-02', undefined],
  ['', undefined],
  [undefined, undefined],
])('a Retry-After of %j is %j ms', (header, expected) => expect(retryAfterMs(header, now)).toBe(expected));
