import { expect, test } from 'vitest';
import { nextPublishAt, publishesMissed } from '../../../core/domain/publish-schedule.js';

const WEEKDAYS = '30,0 16,14 * * 1-5';

test.each([
  ['2026-03-06T13:59:59Z', '2026-03-06T14:00:00Z'],
  ['2026-03-06T14:00:00Z', '2026-03-06T14:30:00Z'],
  ['2026-03-06T14:30:01Z', '2026-03-06T16:00:00Z'],
  ['2026-03-06T16:30:00Z', '2026-03-09T14:00:00Z'],
  ['2026-03-07T15:00:00Z', '2026-03-09T14:00:00Z'],
])('after %s the next slot is %s', (now, next) => {
  expect(nextPublishAt({ publish_schedule: WEEKDAYS }, new Date(now))).toEqual(new Date(next));
});

test('a day that comes in leap years is found', () => {
  const next = nextPublishAt({ publish_schedule: '0 12 29 2 *' }, new Date('2024-02-29T12:00:00Z'));
  expect(next).toEqual(new Date('2028-02-29T12:00:00Z'));
});

test('a day that comes less often than every four years is not looked for', () => {
  // The next 29th of February that is a Monday is that of 2044.
  const next = nextPublishAt({ publish_schedule: '0 12 29 2 1' }, new Date('2024-03-01T12:00:00Z'));
  expect(next).toBeNull();
});

test.each([
  ['0 12 * * 7', '2026-03-02T00:00:00Z', '2026-03-08T12:00:00Z'],
  ['0 12 1 1,7 *', '2026-03-02T00:00:00Z', '2026-07-01T12:00:00Z'],
  // Slots of a day are tried in the order of the day, though the hours begin before midnight.
  ['30 23,0 * * *', '2026-03-02T00:00:00Z', '2026-03-02T00:30:00Z'],
  ['30 23,0 * * *', '2026-03-02T00:30:00Z', '2026-03-02T23:30:00Z'],
  ['15 9,10 * * *', '2026-03-02T09:15:00Z', '2026-03-02T10:15:00Z'],
])('of %s the next slot after %s is %s', (cron, now, next) => {
  expect(nextPublishAt({ publish_schedule: cron }, new Date(now))).toEqual(new Date(next));
});

test.each([
  // A publish in a quarter brings the quarter before it.
  ['2026-03-31', '2026-07-15T10:00:00Z', 0],
  ['2026-03-31', '2026-07-15T10:00:01Z', 1],
  ['2026-01-02', '2026-07-15T10:00:01Z', 1],
  ['2026-06-30', '2026-10-14T00:00:00Z', 0],
  ['2025-09-30', '2026-10-16T00:00:00Z', 4],
])('quarterly, newest %s, at %s: %i quarters', (endDate, now, missed) => {
  const provider = { publish_schedule: '0 10 15 1,4,7,10 *', publish_cadence: 'quarterly' as const };
  expect(publishesMissed(provider, endDate, new Date(now))).toBe(missed);
});

test.each([
  ['2026-11-16T00:00:00Z', 0],
  ['2026-11-16T00:00:01Z', 1],
])('weekly, on the first day of the week and its first minute, at %s: %i weeks', (now, missed) => {
  const provider = { publish_schedule: '0 0 * * 1', publish_cadence: 'weekly' as const };
  expect(publishesMissed(provider, '2026-11-06', new Date(now))).toBe(missed);
});

test.each([
  // The longest pause between hours is the night, wherever it lies.
  ['*/30 16,14 * * *', '2026-11-20T16:30:00Z', 0],
  ['*/30 16,14 * * *', '2026-11-20T16:30:01Z', 1],
  ['0 12 * * *', '2026-11-20T12:00:01Z', 1],
  ['0 0 * * *', '2026-11-20T00:00:00Z', 0],
  ['0 0 * * *', '2026-11-20T00:00:01Z', 1],
  ['0 22-23,0-4 * * *', '2026-11-21T04:00:00Z', 0],
  ['0 22-23,0-4 * * *', '2026-11-21T04:00:01Z', 1],
  ['0 1,2,20,22 * * *', '2026-11-21T02:00:00Z', 0],
  ['0 1,2,20,22 * * *', '2026-11-21T02:00:01Z', 1],
])('daily %s, newest the day before, at %s: %i', (cron, now, missed) => {
  const provider = { publish_schedule: cron, publish_cadence: 'daily' as const };
  expect(publishesMissed(provider, '2026-11-19', new Date(now))).toBe(missed);
});

test('an archive has none', () => {
  expect(nextPublishAt({ publish_schedule: null }, new Date('2026-03-06T12:00:00Z'))).toBeNull();
});
