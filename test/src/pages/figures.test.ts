import { describe, expect, test } from 'vitest';
import { BLEND, figuresOf, hasBand, nearestLine, rangeOf } from '../../../src/pages/browser/figures.js';
import type { RateRow } from '../../../src/pages/shared/rows.js';

const row = (date: string, rate: number, more: Partial<RateRow> = {}): RateRow => ({
  date,
  base: 'EUR',
  quote: 'USD',
  rate,
  ...more,
});
const source = (key: string, date: string, rate: number, more = {}) => ({ key, date, rate, ...more });

describe('the figures of days', () => {
  const [first, second] = ['2026-03-19', '2026-03-20'];
  const rows = [
    row(first, 1.1, { providers: [source('ECB', first, 1.11), source('BOC', first, 1.09)] }),
    row(second, 1.2, {
      providers: [
        source('ECB', second, 1.21),
        source('BOC', first, 1.09),
        source('CBN', second, 9, { excluded: true }),
        source('CBU', second, 9, { suspect: true }),
      ],
    }),
  ];

  test('have a line for each source, without what is carried, left out or suspect', () => {
    const { lines, lows, highs, counts } = figuresOf(rows, []);
    expect(Object.fromEntries(lines)).toEqual({ ECB: [1.11, 1.21], BOC: [1.09, null] });
    expect([lows, highs, counts]).toEqual([
      [1.09, 1.21],
      [1.11, 1.21],
      [2, 1],
    ]);
  });

  test('name the source that is nearest to the pointer', () => {
    const figures = figuresOf(rows, []);
    expect(nearestLine(figures, 0, 1.106, 0.05)).toBe('ECB');
    expect(nearestLine(figures, 0, 1.094, 0.05)).toBe('BOC');
    expect(nearestLine(figures, 1, 1.09, 0.05)).toBeUndefined();
  });
});

test('the figures of weeks have the low and high of the week beside the lines of the sources', () => {
  const date = '2026-03-16';
  const stats = { low: 1.15, high: 1.25 };
  const { lows, highs, lines } = figuresOf(
    [row(date, 1.2, { stats, providers: [source('ECB', date, 1.21)] })],
    [],
  );
  expect([lows, highs, lines.get('ECB')]).toEqual([[1.15], [1.25], [1.21]]);
});

test('the figures of one source have the blend of the same days beside them', () => {
  const figures = figuresOf(
    [row('2026-03-19', 1.1), row('2026-03-20', 1.2)],
    [row('2026-03-18', 1), row('2026-03-20', 1.19)],
  );
  expect(figures.lines.get(BLEND)).toEqual([null, 1.19]);
  expect(hasBand(figures)).toBe(false);
});

test('a source that is far from all others does not flatten them', () => {
  const stats = { low: 1, high: 2 };
  const providers = [source('ECB', '2026-03-16', 1.3), source('CBN', '2026-03-16', 9)];
  const rows = [row('2026-03-09', 1.4, { stats }), row('2026-03-16', 1.5, { stats, providers })];
  const [low, high] = rangeOf(figuresOf(rows, []));
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(2);
  expect(high).toBeLessThan(2.6);
});
