import { expect, test } from 'vitest';
import {
  daysOf,
  monthsOf,
  recentDays,
  stepsOf,
  weekdaysOf,
  yearsOf,
} from '../../../../worker/feeds/toolbox/windows.js';

const spanOf = ({ from, to }: { from: string; to: string }) => `${from} ${to}`;

test('steps leave no gap and no overlap', () => {
  const steps = (from: string, to: string) => [...stepsOf({ from, to }, 3)].map(spanOf);
  const all = ['2026-01-30 2026-02-01', '2026-02-02 2026-02-04', '2026-02-05 2026-02-05'];
  expect(steps('2026-01-30', '2026-02-05')).toEqual(all);
  expect(steps('2026-02-05', '2026-02-04')).toEqual([]);
});

test('days with and without weekends', () => {
  const window = { from: '2026-03-06', to: '2026-03-09' };
  expect([...weekdaysOf(window)]).toEqual(['2026-03-06', '2026-03-09']);
  expect([...daysOf(window, { without: [7] })]).toEqual(['2026-03-06', '2026-03-07', '2026-03-09']);
});

test('months and years with their part of the window', () => {
  const window = { from: '2025-12-15', to: '2026-01-10' };
  expect([...monthsOf(window)]).toEqual([
    { year: 2025, month: 12, first: '2025-12-01', last: '2025-12-31', from: '2025-12-15', to: '2025-12-31' },
    { year: 2026, month: 1, first: '2026-01-01', last: '2026-01-31', from: '2026-01-01', to: '2026-01-10' },
  ]);
  const years = [...yearsOf(window)].map(({ year, ...days }) => `${year} ${spanOf(days)}`);
  expect(years).toEqual(['2025 2025-12-15 2025-12-31', '2026 2026-01-01 2026-01-10']);
});

test('a table of a day may be of the last day before a closure of fifteen', () => {
  expect(recentDays('2026-03-20')).toEqual({ from: '2026-03-05', to: '2026-03-20', exact: true });
});
