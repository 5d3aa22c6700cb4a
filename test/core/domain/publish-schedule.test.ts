import { expect, test } from 'vitest';
import { nextPublishAt } from '../../../core/domain/publish-schedule.js';

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

test('an archive has none', () => {
  expect(nextPublishAt({ publish_schedule: null }, new Date('2026-03-06T12:00:00Z'))).toBeNull();
});
