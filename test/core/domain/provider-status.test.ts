import { expect, it } from 'vitest';
import { isNeedsKeyError, needsKeyError, providerStatus } from '../../../core/domain/provider-status.js';

const daily = { publish_schedule: '*/30 14-16 * * 1-5', publish_cadence: 'daily' as const };
const weekly = { publish_schedule: '*/30 21-23 * * 1', publish_cadence: 'weekly' as const };
const monthly = { publish_schedule: '0 10 10 * *', publish_cadence: 'monthly' as const };
const archive = { publish_schedule: null, publish_cadence: null };

it.each([
  ['fresh', daily, '2026-11-19', null],
  ['late', daily, '2026-11-18', null],
  ['failing', daily, null, 'HTTP 500'],
  ['pending', daily, null, null],
  ['archive', archive, '1998-12-30', null],
  ['needs_key', daily, null, needsKeyError(['FRED_API_KEY'])],
  ['late', weekly, '2026-11-06', null],
  ['fresh', monthly, '2026-10-30', null],
  ['late', monthly, '2026-09-01', null],
])('a provider is %s: %j, newest %s, error %s', (status, provider, endDate, lastError) => {
  expect(providerStatus(provider, { endDate, lastError }, new Date('2026-11-20T20:00:00Z'))).toBe(status);
});

it('a missing key is distinguished from a failure, and names all variables', () => {
  const error = needsKeyError(['BCCH_USER', 'BCCH_PASS']);
  expect(error).toBe('needs_key: BCCH_USER, BCCH_PASS');
  expect([error, 'HTTP 500', null].map(isNeedsKeyError)).toEqual([true, false, false]);
});
