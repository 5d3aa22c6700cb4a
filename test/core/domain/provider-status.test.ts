import { describe, expect, it } from 'vitest';
import { isNeedsKeyError, needsKeyError, providerStatus } from '../../../core/domain/provider-status.js';

const daily = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'daily' as const });
const weekly = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'weekly' as const });
const archive = { publish_schedule: null, publish_cadence: null };
const at = (text: string) => new Date(`${text}Z`);

describe('provider status', () => {
  const provider = daily('*/30 14-16 * * 1-5');
  const now = at('2026-11-20T20:00:00');
  const state = (endDate: string | null, lastError: string | null = null) => ({ endDate, lastError });

  it('tells what a reader needs to know first', () => {
    expect(providerStatus(provider, state('2026-11-20'), now)).toBe('fresh');
    expect(providerStatus(provider, state('2026-11-19'), now)).toBe('fresh');
    expect(providerStatus(provider, state('2026-11-18'), now)).toBe('late');
    expect(providerStatus(provider, state('2026-11-20', 'HTTP 500'), now)).toBe('failing');
    expect(providerStatus(provider, state(null, 'HTTP 500'), now)).toBe('failing');
    expect(providerStatus(provider, state(null), now)).toBe('pending');
    expect(providerStatus(archive, state('1998-12-30'), now)).toBe('archive');
    expect(providerStatus(provider, state(null, needsKeyError(['FRED_API_KEY'])), now)).toBe('needs_key');
    expect(providerStatus(weekly('*/30 21-23 * * 1'), state('2026-11-06'), now)).toBe('late');
  });
});

it('a missing key is told from a failure, and names all variables', () => {
  const error = needsKeyError(['BCCH_USER', 'BCCH_PASS']);
  expect(error).toBe('needs_key: BCCH_USER, BCCH_PASS');
  expect([isNeedsKeyError(error), isNeedsKeyError('HTTP 500'), isNeedsKeyError(null)]).toEqual([
    true,
    false,
    false,
  ]);
  const monthly = { publish_schedule: '0 10 10 * *', publish_cadence: 'monthly' as const };
  const status = (endDate: string) =>
    providerStatus(monthly, { endDate, lastError: null }, at('2026-12-11T00:00:00'));
  expect([status('2026-11-30'), status('2026-10-01')]).toEqual(['fresh', 'late']);
});
