import { expect, test } from 'vitest';
import { dayNumber } from '../../../core/domain/dates.js';
import { heldUntil, periodEnd, periodStart, type ValidityPeriod } from '../../../core/domain/validity.js';

test.each<[ValidityPeriod, day: string, from: string, to: string]>([
  ['day', '2026-07-24', '2026-07-18', '2026-07-24'],
  ['day', '2026-07-25', '2026-07-19', '2026-07-27'],
  ['day', '2026-07-27', '2026-07-21', '2026-07-27'],
  ['week', '2002-01-06', '2002-01-06', '2002-01-12'],
  ['week', '2026-09-30', '2026-09-27', '2026-10-03'],
  ['month', '2024-02-29', '2024-02-01', '2024-02-29'],
  ['month_end', '2025-01-31', '2025-01-31', '2025-02-27'],
  ['month_end', '2025-02-27', '2025-01-31', '2025-02-27'],
  ['quarter', '2026-03-31', '2026-03-31', '2026-06-29'],
  ['quarter', '2026-07-15', '2026-06-30', '2026-09-29'],
  ['day', '0100-01-01', '0100-01-01', '0100-01-01'],
  ['week', '9999-12-31', '9999-12-26', '9999-12-31'],
  ['quarter', '0100-01-02', '0100-01-01', '0100-03-30'],
])('the %s of %s goes from %s to %s', (period, day, from, to) => {
  const ends = [periodStart[period], periodEnd[period]].map((end) => end(dayNumber(day)));
  expect(ends).toEqual([from, to].map(dayNumber));
});

test.each([
  ['2026-07-24', '2026-07-25', '2026-07-24'],
  ['2026-04-03', '2026-04-08', '2026-04-07'],
  ['2026-04-03', undefined, '2026-04-03'],
  ['2026-07-25', undefined, '2026-07-27'],
  ['2026-04-03', '2026-04-20', '2026-04-09'],
])('the rates of %s, of which the next are of %s, hold until %s', (day, next, until) => {
  expect(heldUntil(dayNumber(day), next ? dayNumber(next) : undefined)).toBe(dayNumber(until));
});
