import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, eachDay } from '../../../core/domain/dates.js';
import { decimalsOf, ticksOf } from '../../../src/pages/browser/ticks.js';
import { createFormats } from '../../../src/pages/shared/format.js';
import { propertyRuns } from '../../support/property-runs.js';

const FIVE_DAYS = ['2026-03-13', '2026-03-16', '2026-03-17', '2026-03-18', '2026-03-19'];

describe('the days below a chart', () => {
  test('are those of its rows where these are few, the last among them', () => {
    expect(ticksOf(FIVE_DAYS, 12)).toEqual({ dates: FIVE_DAYS, unit: 'day' });
    expect(ticksOf(FIVE_DAYS, 3).dates).toEqual(['2026-03-13', '2026-03-17', '2026-03-19']);
    expect(ticksOf([], 3).dates).toEqual([]);
  });

  test('are Mondays, first days of months or of years, as fits', () => {
    const from = (start: string) => ticksOf([...eachDay(start, '2026-03-20')], 6);
    expect(from('2026-02-17').dates).toEqual(['2026-02-23', '2026-03-02', '2026-03-09', '2026-03-16']);
    expect(from('2025-10-01')).toEqual({
      dates: ['2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01'],
      unit: 'month',
    });
    expect(from('1999-01-08')).toEqual({
      dates: ['2000-01-01', '2005-01-01', '2010-01-01', '2015-01-01', '2020-01-01', '2025-01-01'],
      unit: 'year',
    });
  });

  test.each(['en-GB', 'de', 'ar-EG', 'zh'])('are each written once, whatever the length, in %s', (locale) => {
    const formats = createFormats(locale);
    const range = fc.record({
      end: fc.integer({ min: 0, max: 10_000 }).map((days) => addDays('2000-01-01', days)),
      days: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 400, max: 40_000 })),
      step: fc.constantFrom(1, 7, 30),
      most: fc.integer({ min: 3, max: 12 }),
    });
    fc.assert(
      fc.property(range, ({ end, days, step, most }) => {
        const start = addDays(end, -days);
        const rows = Array.from({ length: Math.floor(days / step) + 1 }, (_, at) =>
          addDays(start, at * step),
        );
        const { dates, unit } = ticksOf(rows, most);
        const labels = dates.map(formats[unit]);
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.length).toBeGreaterThan(0);
        expect(labels.length).toBeLessThanOrEqual(most + 1);
        expect(dates.every((date) => date >= start && date <= end)).toBe(true);
      }),
      propertyRuns(1000),
    );
  });
});

test.each([
  [1, 0],
  [20, 0],
  [0.5, 1],
  [0.25, 2],
  [0.0005, 4],
  [2.5e-7, 8],
])('multiples of %d have %d decimals', (step, decimals) => expect(decimalsOf(step)).toBe(decimals));
