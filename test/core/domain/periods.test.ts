import { expect, test } from 'vitest';
import { dayNumber } from '../../../core/domain/dates.js';
import { firstDayOf, lastDayOf, type Period, periodsOf, wholePeriods } from '../../../core/domain/periods.js';

test.each<[Period, string, string, string]>([
  ['day', '2026-03-01', '2026-03-01', '2026-03-01'],
  ['week', '2026-03-01', '2026-02-23', '2026-03-01'],
  ['week', '2026-01-01', '2025-12-29', '2026-01-04'],
  ['month', '2024-02-10', '2024-02-01', '2024-02-29'],
  ['month', '2026-12-31', '2026-12-01', '2026-12-31'],
  ['quarter', '2026-01-01', '2026-01-01', '2026-03-31'],
  ['quarter', '2026-03-31', '2026-01-01', '2026-03-31'],
  ['quarter', '2026-11-15', '2026-10-01', '2026-12-31'],
  ['year', '2024-02-29', '2024-01-01', '2024-12-31'],
  ['year', '1969-12-31', '1969-01-01', '1969-12-31'],
])('the %s that holds %s is %s to %s', (period, date, first, last) => {
  expect(firstDayOf(period, dayNumber(date))).toBe(dayNumber(first));
  expect(lastDayOf(period, dayNumber(date))).toBe(dayNumber(last));
});

test('a range widens to whole periods at both ends', () => {
  const range = { from: '2026-02-26', to: '2026-03-02' };
  expect(wholePeriods('day', range)).toEqual(range);
  expect(wholePeriods('week', range)).toEqual({ from: '2026-02-23', to: '2026-03-08' });
  expect(wholePeriods('month', range)).toEqual({ from: '2026-02-01', to: '2026-03-31' });
  expect(wholePeriods('quarter', range)).toEqual({ from: '2026-01-01', to: '2026-03-31' });
  expect(wholePeriods('year', range)).toEqual({ from: '2026-01-01', to: '2026-12-31' });
});

test('a range is its only period, or has those that it overlaps', () => {
  const range = { from: dayNumber('2026-02-26'), to: dayNumber('2026-03-02') };
  const day = dayNumber('2026-02-27');
  const whole = periodsOf('range', range);
  expect([whole.firstDayOf(day), whole.lastDayOf(day)]).toEqual([range.from, range.to]);
  const months = periodsOf('month', range);
  expect([months.firstDayOf(day), months.lastDayOf(day)]).toEqual(
    ['2026-02-01', '2026-02-28'].map((date) => dayNumber(date)),
  );
});
