import { describe, expect, it } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import {
  isPeriodPublished,
  nextPublishAt,
  pollingDayAt,
  publishesMissed,
  readPublishSchedule,
} from '../../../core/domain/publish-schedule.js';

const daily = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'daily' as const });
const weekly = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'weekly' as const });
const monthly = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'monthly' as const });
const quarterly = (cron: string) => ({ publish_schedule: cron, publish_cadence: 'quarterly' as const });
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
    const now = at('2026-11-20T00:00:00');
    expect(publishesMissed(archive, '1998-12-30', now)).toBeNull();
    expect(publishesMissed(daily('*/30 8-10 * * *'), null, now)).toBeNull();
    expect(publishesMissed({ ...daily('0 10 * * *'), publish_schedule: null }, '2026-11-01', now)).toBeNull();
    expect(publishesMissed({ ...daily('0 10 * * *'), publish_cadence: null }, '2026-11-01', now)).toBeNull();
  });

  it('reads the schedule of every provider', () => {
    for (const { publish_schedule } of providers) {
      if (publish_schedule !== null) readPublishSchedule(publish_schedule);
    }
    expect(() => readPublishSchedule('every noon')).toThrow();
  });

  it.each([
    // The longest pause between hours is the night, wherever it lies.
    ['*/30 16,14 * * *', '2026-11-20T16:30:00', 0],
    ['*/30 16,14 * * *', '2026-11-20T16:30:01', 1],
    ['0 12 * * *', '2026-11-20T12:00:01', 1],
    ['0 0 * * *', '2026-11-20T00:00:00', 0],
    ['0 0 * * *', '2026-11-20T00:00:01', 1],
    ['0 22-23,0-4 * * *', '2026-11-21T04:00:00', 0],
    ['0 22-23,0-4 * * *', '2026-11-21T04:00:01', 1],
    ['0 1,2,20,22 * * *', '2026-11-21T02:00:00', 0],
    ['0 1,2,20,22 * * *', '2026-11-21T02:00:01', 1],
    // Two slots far apart belong to one day.
    ['0 10,20 * * *', '2026-11-20T20:00:00', 0],
    ['0 10,20 * * *', '2026-11-20T20:00:01', 1],
    // Where the gaps are equal, the day ends with its last slot.
    ['0 0,12 * * *', '2026-11-20T12:00:01', 1],
    // Nearly around the clock.
    ['0 0-20 * * *', '2026-11-20T20:00:00', 0],
    ['0 0-20 * * *', '2026-11-20T20:00:01', 1],
    ['0 2-23 * * *', '2026-11-20T23:00:01', 1],
  ])('%s, newest the day before, at %s: %i days', (cron, now, missed) => {
    expect(publishesMissed(daily(cron), '2026-11-19', at(now))).toBe(missed);
  });

  it.each([
    ['2026-11-16T00:00:00', 0],
    ['2026-11-16T00:00:01', 1],
  ])('weekly in the first minute of the week, at %s: %i weeks', (now, missed) => {
    expect(publishesMissed(weekly('0 0 * * 1'), '2026-11-06', at(now))).toBe(missed);
  });

  it.each([
    // A publish in a quarter brings the quarter before it.
    ['2026-03-31', '2026-07-15T10:00:00', 0],
    ['2026-03-31', '2026-07-15T10:00:01', 1],
    ['2026-01-02', '2026-07-15T10:00:01', 1],
    ['2026-06-30', '2026-10-14T00:00:00', 0],
    ['2025-09-30', '2026-10-16T00:00:00', 4],
  ])('quarterly, newest %s, at %s: %i quarters', (endDate, now, missed) => {
    expect(publishesMissed(quarterly('0 10 15 1,4,7,10 *'), endDate, at(now))).toBe(missed);
  });

  it('of a month are those of months that have a publishing day', () => {
    const everyThird = monthly('0 10 5 1,4,7,10 *');
    expect(publishesMissed(everyThird, '2026-02-28', at('2026-11-20T00:00:00'))).toBe(3);
    expect(publishesMissed(everyThird, '2026-05-31', at('2026-07-05T10:00:00'))).toBe(0);
  });

  it('of a month count from the month of the newest day, in whose week another month may end', () => {
    expect(publishesMissed(monthly('0 10 10 * *'), '2026-10-01', at('2026-12-11T00:00:00'))).toBe(1);
  });
});

describe('the next slot', () => {
  const next = (publish_schedule: string | null, now: string) => nextPublishAt({ publish_schedule }, at(now));
  const WEEKDAYS = '30,0 16,14 * * 1-5';

  it.each([
    [WEEKDAYS, '2026-03-06T13:59:59', '2026-03-06T14:00:00'],
    [WEEKDAYS, '2026-03-06T14:00:00', '2026-03-06T14:30:00'],
    [WEEKDAYS, '2026-03-06T14:30:01', '2026-03-06T16:00:00'],
    [WEEKDAYS, '2026-03-06T16:30:00', '2026-03-09T14:00:00'],
    [WEEKDAYS, '2026-03-07T15:00:00', '2026-03-09T14:00:00'],
    ['0 12 * * 7', '2026-03-02T00:00:00', '2026-03-08T12:00:00'],
    ['0 12 1 1,7 *', '2026-03-02T00:00:00', '2026-07-01T12:00:00'],
    // Slots of a day are tried in the order of the day, though the hours begin before midnight.
    ['30 23,0 * * *', '2026-03-02T00:00:00', '2026-03-02T00:30:00'],
    ['30 23,0 * * *', '2026-03-02T00:30:00', '2026-03-02T23:30:00'],
    ['15 9,10 * * *', '2026-03-02T09:15:00', '2026-03-02T10:15:00'],
  ])('of %s after %s is %s', (cron, now, slot) => {
    expect(next(cron, now)).toEqual(at(slot));
  });

  it('may be years ahead, on a day that comes in leap years', () => {
    expect(next('0 12 29 2 *', '2024-02-29T12:00:00')).toEqual(at('2028-02-29T12:00:00'));
  });

  it('is not looked for further than four years ahead', () => {
    // The next 29th of February that is a Monday is that of 2044.
    expect(next('0 12 29 2 1', '2024-03-01T12:00:00')).toBeNull();
  });

  it('of an archive is none', () => {
    expect(next(null, '2026-03-06T12:00:00')).toBeNull();
  });
});

describe('the polling day of a slot', () => {
  it.each([
    ['*/30 14-16 * * 1-5', '2026-11-20T15:00:00', '2026-11-20T14:00:00', '2026-11-20T16:30:00'],
    ['0 12 1-5 * *', '2026-11-03T12:00:00', '2026-11-03T12:00:00', '2026-11-03T12:00:00'],
    ['15,45 23,0,1 * * 1-5', '2026-11-20T23:45:00', '2026-11-20T23:15:00', '2026-11-21T01:45:00'],
    ['15,45 23,0,1 * * 1-5', '2026-11-20T00:15:00', '2026-11-19T23:15:00', '2026-11-20T01:45:00'],
    ['15,45 23,0,1 * * 1-5', '2026-11-20T01:45:00', '2026-11-19T23:15:00', '2026-11-20T01:45:00'],
    // Every hour: the day begins at midnight.
    ['0 * * * *', '2026-11-20T23:00:00', '2026-11-20T00:00:00', '2026-11-20T23:00:00'],
  ])('%s at %s: from %s to %s', (cron, slot, first, last) => {
    expect(pollingDayAt(daily(cron), at(slot))).toEqual({ first: at(first), last: at(last) });
  });

  it('begins with its first slot and ends with its last one, for every provider and slot', () => {
    for (const provider of providers) {
      if (provider.publish_schedule === null) continue;
      let slot = nextPublishAt(provider, at('2026-11-18T00:00:00'));
      for (let count = 0; slot !== null && count < 200; count++) {
        const { first, last } = pollingDayAt(provider, slot);
        expect(first <= slot && slot <= last, `${provider.key} ${slot.toISOString()}`).toBe(true);
        expect(last.getTime() - first.getTime()).toBeLessThan(86_400_000);
        slot = nextPublishAt(provider, slot);
      }
    }
  });
});

describe('the publish of a period', () => {
  it.each([
    // Looked for from the third to the twelfth, it brings the month before.
    [monthly('*/30 1-10 3-12 * *'), '2026-09-30', '2026-11-03T01:00:00', false],
    [monthly('*/30 1-10 3-12 * *'), '2026-10-30', '2026-11-03T01:30:00', true],
    [monthly('*/30 1-10 3-12 * *'), '2026-10-30', '2026-11-12T10:30:00', true],
    [monthly('*/30 1-10 3-12 * *'), '2026-10-30', '2026-12-03T01:00:00', false],
    [weekly('*/30 21-23 * * 1'), '2026-11-06', '2026-11-16T21:00:00', false],
    [weekly('*/30 21-23 * * 1'), '2026-11-13', '2026-11-16T21:30:00', true],
    [monthly('*/30 1-10 3-12 * *'), null, '2026-11-03T01:00:00', false],
    [daily('*/30 14-16 * * 1-5'), '2026-11-20', '2026-11-20T15:00:00', false],
    [archive, '2026-11-20', '2026-11-20T15:00:00', false],
  ])('%j, newest %s, at %s: %s', (provider, endDate, slot, isPublished) => {
    expect(isPeriodPublished(provider, endDate, at(slot))).toBe(isPublished);
  });
});
