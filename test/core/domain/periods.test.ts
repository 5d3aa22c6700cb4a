import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayNumber, firstDayOf, lastDayOf, type Period, periodsOf } from '../../../core/domain/dates.js';

it.each<[Period, string, string, string]>([
  ['day', '2026-03-01', '2026-03-01', '2026-03-01'],
  ['week', '2026-01-01', '2025-12-29', '2026-01-04'],
  ['month', '2024-02-10', '2024-02-01', '2024-02-29'],
  ['quarter', '2026-03-31', '2026-01-01', '2026-03-31'],
  ['quarter', '2026-11-15', '2026-10-01', '2026-12-31'],
  ['year', '2024-02-29', '2024-01-01', '2024-12-31'],
])('the %s that holds %s is %s to %s', (period, date, first, last) => {
  const day = dayNumber(date);
  expect([firstDayOf(period, day), lastDayOf(period, day)]).toEqual([dayNumber(first), dayNumber(last)]);
});

it.each([
  ['range', '2026-02-26', '2026-03-02'],
  ['month', '2026-02-01', '2026-02-28'],
] as const)('a range is one period, or has those it overlaps: a %s, %s to %s', (period, first, last) => {
  const range = { from: dayNumber('2026-02-26'), to: dayNumber('2026-03-02') };
  const { firstDayOf, lastDayOf } = periodsOf(period, range);
  const day = dayNumber('2026-02-27');
  expect([firstDayOf(day), lastDayOf(day)]).toEqual([dayNumber(first), dayNumber(last)]);
});

const period = fc.constantFrom('day', 'week', 'month');
const day = fc.integer({ min: dayNumber('1700-01-01'), max: dayNumber('2100-12-31') });

it('periods hold their days, touch each other, and are the same for all of their days', () => {
  fc.assert(
    fc.property(period, day, (one, number) => {
      const [first, last] = [firstDayOf(one, number), lastDayOf(one, number)];
      expect(first <= number && number <= last).toBe(true);
      expect([firstDayOf(one, last), lastDayOf(one, first)]).toEqual([first, last]);
      expect(firstDayOf(one, last + 1)).toBe(last + 1);
    }),
  );
});
