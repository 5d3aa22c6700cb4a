import { expect, test } from 'vitest';
import { addDays, type CalendarDate } from '../../../core/domain/dates.js';
import { lineChart } from '../../../src/pages/line-chart.js';
import { gapsIn } from '../../../src/pages/shared/gaps.js';

const every = (days: number, count: number, start: CalendarDate = '2025-01-06') =>
  Array.from({ length: count }, (_, at) => addDays(start, at * days));

test('a line of days is broken where a rate counts no more', () => {
  const days = every(1, 10);
  expect(gapsIn([...days, addDays('2025-01-15', 14)], undefined)).toEqual([]);
  expect(gapsIn([...days, addDays('2025-01-15', 15)], undefined)).toEqual([10]);
  expect(gapsIn([], undefined)).toEqual([]);
});

test('a line of weeks or months is broken where more than two of them are missing', () => {
  const weeks = every(7, 10);
  expect(gapsIn([...weeks, ...every(7, 3, '2025-03-31')], 'week')).toEqual([]);
  expect(gapsIn([...weeks, ...every(7, 3, '2025-04-07')], 'week')).toEqual([10]);
  const months = ['2014-11-01', '2014-12-01', '2024-01-01', '2025-03-01', '2025-04-01', '2025-05-01'];
  expect(gapsIn(months, 'month')).toEqual([2, 3]);
});

test('who publishes seldom has no gaps for that', () => {
  expect(gapsIn(every(30, 12), undefined)).toEqual([]);
  expect(gapsIn(every(91, 12), 'week')).toEqual([]);
});

test('the picture of a line is broken at the same days, with a dot for a month alone', () => {
  const dates = ['2014-11-01', '2014-12-01', '2024-01-01', '2025-03-01', '2025-04-01'];
  const rows = dates.map((date, at) => ({ date, base: 'USD', quote: 'TRY', rate: 2 + at }));
  const drawn = lineChart({ rows, group: 'month', label: 'TRY', write: String })?.text ?? '';
  const [, line = ''] = /<path d="([^"]*)"/.exec(drawn) ?? [];
  expect(line.split('M').slice(1)).toHaveLength(3);
  expect(line.match(/h0/g)).toHaveLength(1);
  expect(lineChart({ rows: [], group: 'month', label: 'TRY', write: String })).toBeUndefined();
});
