import { expect, it } from 'vitest';
import { systemClock, today, todayNumber } from '../../../core/domain/dates.js';

it.each([
  ['2024-02-29T23:59:59.999Z', '2024-02-29', 19_782],
  ['1969-12-31T23:00:00Z', '1969-12-31', -1],
])('the clock counts days of UTC: %s', (instant, date, number) => {
  const clock = () => new Date(instant);
  expect([today(clock), todayNumber(clock)]).toEqual([date, number]);
  const before = Date.now();
  expect(systemClock().getTime()).toBeGreaterThanOrEqual(before);
});
