import { describe, expect, it } from 'vitest';
import { systemClock, today, todayNumber } from '../../../core/domain/clock.js';
import { isNeedsKeyError, needsKeyError, providerStatus } from '../../../core/domain/provider-status.js';
import { publishesMissed } from '../../../core/domain/publish-schedule.js';
import { displayDecimals } from '../../../core/domain/rounding.js';
import { usualOfThinDay } from '../../../core/domain/thin-day.js';

const at = (text: string) => new Date(`${text}Z`);

describe('the clock', () => {
  it('counts days of UTC', () => {
    const clock = () => at('2024-02-29T23:59:59.999');
    expect([today(clock), todayNumber(clock)]).toEqual(['2024-02-29', 19_782]);
    expect(todayNumber(() => at('1969-12-31T23:00:00'))).toBe(-1);
  });

  it('of the system goes on', () => {
    const before = Date.now();
    expect(systemClock().getTime()).toBeGreaterThanOrEqual(before);
  });
});

describe('publishes missed', () => {
  const missed = (
    publish_schedule: string | null,
    publish_cadence: 'daily' | 'weekly' | 'monthly' | null,
    endDate: string | null,
    now: string,
  ) => publishesMissed({ publish_schedule, publish_cadence }, endDate, at(now));

  it('are unknown without a schedule, a cadence or a first row', () => {
    expect(missed(null, 'daily', '2026-11-01', '2026-11-20T00:00:00')).toBeNull();
    expect(missed('0 10 * * *', null, '2026-11-01', '2026-11-20T00:00:00')).toBeNull();
    expect(missed('0 10 * * *', 'daily', null, '2026-11-20T00:00:00')).toBeNull();
  });

  it.each([
    // Two slots far apart belong to one day.
    ['0 10,20 * * *', '2026-11-19', '2026-11-20T20:00:00', 0],
    ['0 10,20 * * *', '2026-11-19', '2026-11-20T20:00:01', 1],
    // Where the gaps are equal, the day ends with its last slot.
    ['0 0,12 * * *', '2026-11-19', '2026-11-20T12:00:01', 1],
    // Nearly around the clock: the night is the gap.
    ['0 0-20 * * *', '2026-11-19', '2026-11-20T20:00:00', 0],
    ['0 0-20 * * *', '2026-11-19', '2026-11-20T20:00:01', 1],
    ['0 2-23 * * *', '2026-11-19', '2026-11-20T23:00:01', 1],
  ])('%s, newest %s, at %s: %i', (cron, endDate, now, count) => {
    expect(missed(cron, 'daily', endDate, now)).toBe(count);
  });

  it('of a month are those of months that have a publishing day', () => {
    const quarterly = '0 10 5 1,4,7,10 *';
    expect(missed(quarterly, 'monthly', '2026-02-28', '2026-11-20T00:00:00')).toBe(3);
    expect(missed(quarterly, 'monthly', '2026-05-31', '2026-07-05T10:00:00')).toBe(0);
  });

  it('of a month count from the month of the newest day, in whose week another month may end', () => {
    expect(missed('0 10 10 * *', 'monthly', '2026-10-01', '2026-12-11T00:00:00')).toBe(1);
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

it.each([
  [5000.01, 0],
  [5000, 2],
  [80.01, 2],
  [80, 3],
  [20, 4],
  [1.0001, 4],
  [1, 5],
  [0.5, 5],
  [0.1, 6],
  [0.05, 6],
  [0.005, 7],
  [0.0005, 8],
  [0.000_05, 9],
  [0.000_005, 10],
  [0.000_001, undefined],
  [0, undefined],
])('%d is shown with %s decimals', (rate, decimals) => {
  expect(displayDecimals(rate)).toBe(decimals);
});

it('five days before it are enough to judge a day by', () => {
  expect(usualOfThinDay(1, [10, 10, 10, 10, 10])).toBe(10);
  expect(usualOfThinDay(1, [10, 10, 10, 10])).toBeUndefined();
});
