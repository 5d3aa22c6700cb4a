import { expect, it } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import {
  isPeriodPublished,
  nextPublishAt,
  pollingDayAt,
  publishesMissed,
  readPublishSchedule,
} from '../../../core/domain/publish-schedule.js';

type Cadence = 'daily' | 'weekly' | 'monthly' | 'quarterly';
const on = (publish_cadence: Cadence, publish_schedule: string) => ({ publish_schedule, publish_cadence });
const archive = { publish_schedule: null, publish_cadence: null };
const at = (text: string) => new Date(`${text}Z`);

const WEEKDAYS = '*/30 14-16 * * 1-5';
const MIDNIGHT = '*/30 23,0,1 * * 1-5';
const MONDAYS = '*/30 21-23 * * 1';
const MONTHLY = '*/30 1-10 3-12 * *';
const QUARTERLY = '0 10 15 1,4,7,10 *';
const DAY_BEFORE = '2026-11-19';

// 2026-11-20 is a Friday.
it.each<[Cadence, cron: string, endDate: string, now: string, missed: number]>([
  ['daily', WEEKDAYS, '2026-11-19', '2026-11-20T16:30:00', 0],
  ['daily', WEEKDAYS, '2026-11-19', '2026-11-20T16:30:01', 1],
  ['daily', WEEKDAYS, '2026-11-20', '2026-11-23T16:00:00', 0],
  ['daily', WEEKDAYS, '2026-11-13', '2026-11-21T00:00:00', 5],
  // Dated a day ahead.
  ['daily', WEEKDAYS, '2026-11-21', '2026-11-20T20:00:00', 0],
  // The day's publish is looked for until 01:30 of the next.
  ['daily', MIDNIGHT, '2026-11-18', '2026-11-20T01:30:00', 0],
  ['daily', MIDNIGHT, '2026-11-18', '2026-11-21T01:29:00', 1],
  ['daily', MIDNIGHT, '2026-11-18', '2026-11-21T01:31:00', 2],
  ['daily', MIDNIGHT, '2026-11-20', '2026-11-24T02:00:00', 1],
  // Sunday to Thursday.
  ['daily', '*/30 10-12 * * 0-4', '2026-11-19', '2026-11-21T23:00:00', 0],
  ['daily', '*/30 10-12 * * 0-4', '2026-11-19', '2026-11-22T12:31:00', 1],
  ['daily', '*/30 8-10 * * *', '2026-11-19', '2026-11-22T10:31:00', 3],
  // The longest pause between hours is the night, wherever it lies.
  ['daily', '*/30 16,14 * * *', DAY_BEFORE, '2026-11-20T16:30:00', 0],
  ['daily', '0 0 * * *', DAY_BEFORE, '2026-11-20T00:00:01', 1],
  ['daily', '0 22-23,0-4 * * *', DAY_BEFORE, '2026-11-21T04:00:00', 0],
  ['daily', '0 22-23,0-4 * * *', DAY_BEFORE, '2026-11-21T04:00:01', 1],
  // Two slots far apart belong to one day.
  ['daily', '0 10,20 * * *', DAY_BEFORE, '2026-11-20T20:00:00', 0],
  // Where the gaps are equal, the day ends with its last slot.
  ['daily', '0 0,12 * * *', DAY_BEFORE, '2026-11-20T12:00:01', 1],
  // Nearly around the clock.
  ['daily', '0 0-20 * * *', DAY_BEFORE, '2026-11-20T20:00:00', 0],
  ['daily', '0 2-23 * * *', DAY_BEFORE, '2026-11-20T23:00:01', 1],
  // Monday 16 November brings the week up to Friday 13 November.
  ['weekly', MONDAYS, '2026-11-13', '2026-11-23T23:30:00', 0],
  ['weekly', MONDAYS, '2026-11-13', '2026-11-23T23:31:00', 1],
  ['weekly', MONDAYS, '2026-11-06', '2026-12-01T00:00:00', 3],
  ['weekly', '0 0 * * 1', '2026-11-06', '2026-11-16T00:00:00', 0],
  ['monthly', MONTHLY, '2026-09-30', '2026-11-12T10:30:00', 0],
  ['monthly', MONTHLY, '2026-09-30', '2026-11-12T10:31:00', 1],
  ['monthly', MONTHLY, '2025-12-31', '2026-02-12T11:00:00', 1],
  // The last weekday of November is Monday the 30th.
  ['monthly', '*/30 12-14 * * 1-5', '2026-09-30', '2026-11-29T00:00:00', 0],
  ['monthly', '*/30 12-14 * * 1-5', '2026-09-30', '2026-11-30T14:31:00', 1],
  // Only months count that have a publishing day.
  ['monthly', '0 10 5 1,4,7,10 *', '2026-02-28', '2026-11-20T00:00:00', 3],
  ['monthly', '0 10 5 1,4,7,10 *', '2026-05-31', '2026-07-05T10:00:00', 0],
  // They count from the month of the newest day, in whose week another month may end.
  ['monthly', '0 10 10 * *', '2026-10-01', '2026-12-11T00:00:00', 1],
  // A publish in a quarter brings the quarter before it.
  ['quarterly', QUARTERLY, '2026-03-31', '2026-07-15T10:00:00', 0],
  ['quarterly', QUARTERLY, '2026-03-31', '2026-07-15T10:00:01', 1],
  ['quarterly', QUARTERLY, '2025-09-30', '2026-10-16T00:00:00', 4],
])('of %s publishes, %s, newest %s, at %s %i are missed', (cadence, cron, endDate, now, missed) => {
  expect(publishesMissed(on(cadence, cron), endDate, at(now))).toBe(missed);
});

it('how many publishes are missed is unknown for an archive and before anything arrived', () => {
  const daily = on('daily', '0 10 * * *');
  for (const [provider, endDate] of [
    [archive, '1998-12-30'],
    [daily, null],
    [{ ...daily, publish_schedule: null }, '2026-11-01'],
    [{ ...daily, publish_cadence: null }, '2026-11-01'],
  ] as const)
    expect(publishesMissed(provider, endDate, at('2026-11-20T00:00:00'))).toBeNull();
  expect(() => readPublishSchedule('every noon')).toThrow();
});

it.each([
  ['30,0 16,14 * * 1-5', '2026-03-06T14:00:00', '2026-03-06T14:30:00'],
  ['30,0 16,14 * * 1-5', '2026-03-06T14:30:01', '2026-03-06T16:00:00'],
  ['30,0 16,14 * * 1-5', '2026-03-06T16:30:00', '2026-03-09T14:00:00'],
  ['0 12 * * 7', '2026-03-02T00:00:00', '2026-03-08T12:00:00'],
  ['0 12 1 1,7 *', '2026-03-02T00:00:00', '2026-07-01T12:00:00'],
  // Slots of a day are tried in the order of the day, though the hours begin before midnight.
  ['30 23,0 * * *', '2026-03-02T00:00:00', '2026-03-02T00:30:00'],
  // Years ahead, on a day that comes in leap years, but not further than four years: in 2044 it is a Monday.
  ['0 12 29 2 *', '2024-02-29T12:00:00', '2028-02-29T12:00:00'],
  ['0 12 29 2 1', '2024-03-01T12:00:00', null],
  [null, '2026-03-06T12:00:00', null],
])('the next slot of %s after %s is %s', (publish_schedule, now, slot) => {
  expect(nextPublishAt({ publish_schedule }, at(now))).toEqual(slot && at(slot));
});

it.each([
  [WEEKDAYS, '2026-11-20T15:00:00', '2026-11-20T14:00:00', '2026-11-20T16:30:00'],
  ['15,45 23,0,1 * * 1-5', '2026-11-20T23:45:00', '2026-11-20T23:15:00', '2026-11-21T01:45:00'],
  ['15,45 23,0,1 * * 1-5', '2026-11-20T00:15:00', '2026-11-19T23:15:00', '2026-11-20T01:45:00'],
  ['15,45 23,0,1 * * 1-5', '2026-11-20T01:45:00', '2026-11-19T23:15:00', '2026-11-20T01:45:00'],
  // Every hour: the day begins at midnight.
  ['0 * * * *', '2026-11-20T23:00:00', '2026-11-20T00:00:00', '2026-11-20T23:00:00'],
])('the polling day of %s at %s is from %s to %s', (cron, slot, first, last) => {
  expect(pollingDayAt(on('daily', cron), at(slot))).toEqual({ first: at(first), last: at(last) });
});

it('the polling day of a slot begins with its first slot and ends with its last one, for every provider and slot', () => {
  for (const provider of providers) {
    if (provider.publish_schedule === null) continue;
    let slot = nextPublishAt(provider, at('2026-11-18T00:00:00'));
    for (let count = 0; slot !== null && count < 60; count++) {
      const { first, last } = pollingDayAt(provider, slot);
      const isWithin = first <= slot && slot <= last && Number(last) - Number(first) < 86_400_000;
      expect(isWithin, `${provider.key} ${slot.toISOString()}`).toBe(true);
      slot = nextPublishAt(provider, slot);
    }
  }
});

it.each([
  // Looked for from the third to the twelfth, it brings the month before.
  [on('monthly', MONTHLY), '2026-09-30', '2026-11-03T01:00:00', false],
  [on('monthly', MONTHLY), '2026-10-30', '2026-11-03T01:30:00', true],
  [on('monthly', MONTHLY), '2026-10-30', '2026-12-03T01:00:00', false],
  [on('weekly', MONDAYS), '2026-11-06', '2026-11-16T21:00:00', false],
  [on('weekly', MONDAYS), '2026-11-13', '2026-11-16T21:30:00', true],
  [on('monthly', MONTHLY), null, '2026-11-03T01:00:00', false],
  [on('daily', WEEKDAYS), '2026-11-20', '2026-11-20T15:00:00', false],
  [archive, '2026-11-20', '2026-11-20T15:00:00', false],
])('the period of %j, newest %s, at %s is published: %s', (provider, endDate, slot, isPublished) => {
  expect(isPeriodPublished(provider, endDate, at(slot))).toBe(isPublished);
});
