import { describe, expect, it } from 'vitest';
import { needsKeyError, providerStatus } from '../../../core/domain/provider-status.js';
import { providers } from '../../../core/domain/providers.js';
import { publishesMissed, readPublishSchedule } from '../../../core/domain/publish-schedule.js';

const daily = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'daily' as const });
const weekly = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'weekly' as const });
const monthly = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'monthly' as const });
const archive = { publish_schedule: null, publish_cadence: null };
const at = (text: string) => new Date(`${text}Z`);

// 2026-11-20 is a Friday.
describe('publishes missed', () => {
  it.each([
    // Monday to Friday, 14 to 16 UTC
    ['*/30 14-16 * * 1-5', '2026-11-19', '2026-11-20T16:30:00', 0],
    ['*/30 14-16 * * 1-5', '2026-11-19', '2026-11-20T16:30:01', 1],
    ['*/30 14-16 * * 1-5', '2026-11-20', '2026-11-20T23:00:00', 0],
    ['*/30 14-16 * * 1-5', '2026-11-20', '2026-11-22T23:59:59', 0],
    ['*/30 14-16 * * 1-5', '2026-11-20', '2026-11-23T16:00:00', 0],
    ['*/30 14-16 * * 1-5', '2026-11-20', '2026-11-23T16:31:00', 1],
    ['*/30 14-16 * * 1-5', '2026-11-13', '2026-11-21T00:00:00', 5],
    // dated a day ahead
    ['*/30 14-16 * * 1-5', '2026-11-21', '2026-11-20T20:00:00', 0],
    // around midnight: the day's publish is looked for until 01:30 of the next
    ['*/30 23,0,1 * * 1-5', '2026-11-18', '2026-11-19T23:59:00', 0],
    ['*/30 23,0,1 * * 1-5', '2026-11-18', '2026-11-20T01:30:00', 0],
    ['*/30 23,0,1 * * 1-5', '2026-11-18', '2026-11-20T01:31:00', 1],
    ['*/30 23,0,1 * * 1-5', '2026-11-18', '2026-11-21T01:29:00', 1],
    ['*/30 23,0,1 * * 1-5', '2026-11-18', '2026-11-21T01:31:00', 2],
    ['*/30 23,0,1 * * 1-5', '2026-11-20', '2026-11-24T01:00:00', 0],
    ['*/30 23,0,1 * * 1-5', '2026-11-20', '2026-11-24T02:00:00', 1],
    // Sunday to Thursday
    ['*/30 10-12 * * 0-4', '2026-11-19', '2026-11-21T23:00:00', 0],
    ['*/30 10-12 * * 0-4', '2026-11-19', '2026-11-22T12:31:00', 1],
    ['*/30 5-7 * * 0-4,6', '2026-11-19', '2026-11-21T07:31:00', 1],
    // every day
    ['*/30 8-10 * * *', '2026-11-19', '2026-11-22T10:31:00', 3],
  ])('%s, newest %s, at %s: %i days', (cron, endDate, now, missed) => {
    expect(publishesMissed(daily(cron), endDate, at(now))).toBe(missed);
  });

  it.each([
    // Monday 16 November brings the week up to Friday 13 November
    ['2026-11-13', '2026-11-16T23:31:00', 0],
    ['2026-11-13', '2026-11-23T23:30:00', 0],
    ['2026-11-13', '2026-11-23T23:31:00', 1],
    ['2026-11-06', '2026-11-16T23:31:00', 1],
    ['2026-11-06', '2026-12-01T00:00:00', 3],
  ])('weekly on Mondays, newest %s, at %s: %i weeks', (endDate, now, missed) => {
    expect(publishesMissed(weekly('*/30 21-23 * * 1'), endDate, at(now))).toBe(missed);
  });

  it.each([
    ['*/30 1-10 3-12 * *', '2026-10-30', '2026-11-21T00:00:00', 0],
    ['*/30 1-10 3-12 * *', '2026-09-30', '2026-11-12T10:30:00', 0],
    ['*/30 1-10 3-12 * *', '2026-09-30', '2026-11-12T10:31:00', 1],
    ['*/30 1-10 3-12 * *', '2025-12-31', '2026-02-12T11:00:00', 1],
    ['*/30 12-14 * * 1-5', '2026-09-30', '2026-11-29T00:00:00', 0],
    // the last weekday of November is Monday the 30th
    ['*/30 12-14 * * 1-5', '2026-09-30', '2026-11-30T14:31:00', 1],
    ['*/30 5-15 15-28 * *', '2026-06-30', '2026-11-21T00:00:00', 3],
  ])('monthly %s, newest %s, at %s: %i months', (cron, endDate, now, missed) => {
    expect(publishesMissed(monthly(cron), endDate, at(now))).toBe(missed);
  });

  it('is unknown for an archive and before anything arrived', () => {
    expect(publishesMissed(archive, '1998-12-30', at('2026-11-20T00:00:00'))).toBeNull();
    expect(publishesMissed(daily('*/30 8-10 * * *'), null, at('2026-11-20T00:00:00'))).toBeNull();
  });

  it('reads the schedule of every provider', () => {
    for (const { publish_schedule } of providers) {
      if (publish_schedule !== null) readPublishSchedule(publish_schedule);
    }
    expect(() => readPublishSchedule('every noon')).toThrow();
  });
});

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
