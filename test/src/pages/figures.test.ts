import { describe, expect, test } from 'vitest';
import { deviationsOf } from '../../../src/pages/browser/deviations.js';
import { BLEND, figuresOf, hasBand, quantileOf, rangeOf } from '../../../src/pages/browser/figures.js';
import type { RateRow } from '../../../src/pages/shared/rows.js';

const row = (date: string, rate: number, more: Partial<RateRow> = {}): RateRow => ({
  date,
  base: 'EUR',
  quote: 'USD',
  rate,
  ...more,
});
const source = (key: string, date: string, rate: number, more = {}) => ({ key, date, rate, ...more });
const statsOf = (low: number, high: number) => ({
  first: low,
  last: high,
  last_date: '2026-03-20',
  low,
  high,
});

describe('the figures of days', () => {
  const [friday, saturday] = ['2026-03-20', '2026-03-21'];
  const rows = [
    row(friday, 1.1, { providers: [source('ECB', friday, 1.11), source('BOC', friday, 1.09)] }),
    row(saturday, 1.1, {
      providers: [
        source('ECB', friday, 1.11),
        source('BOC', friday, 1.09),
        source('CBU', saturday, 1.12),
        source('CBN', saturday, 9, { excluded: true }),
        source('NBU', saturday, 9, { suspect: true }),
      ],
    }),
  ];

  test('have a band of all that the blend was made from, what is carried included', () => {
    const { lows, highs, inputs } = figuresOf(rows, []);
    expect(lows.map((low) => low?.toFixed(3))).toEqual(['1.092', '1.094']);
    expect(highs.map((high) => high?.toFixed(3))).toEqual(['1.108', '1.118']);
    expect(inputs).toEqual([
      { sources: 2, excluded: 0 },
      { sources: 4, excluded: 1 },
    ]);
  });

  test('have a line for each source, of what it said on the day itself', () => {
    const { lines } = figuresOf(rows, []);
    expect(Object.fromEntries(lines)).toEqual({
      ECB: [1.11, null],
      BOC: [1.09, null],
      CBU: [null, 1.12],
      CBN: [null, 9],
      NBU: [null, 9],
    });
  });

  test('have no band and no inputs where the sources have not been read', () => {
    const figures = figuresOf([row(friday, 1.1)], []);
    expect(hasBand(figures)).toBe(false);
    expect(figures.inputs).toEqual([undefined]);
  });
});

test('a quantile lies between the values around it', () => {
  expect(quantileOf([7], 0.9)).toBe(7);
  expect(quantileOf([1, 2], 0.5)).toBe(1.5);
  expect(quantileOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.1)).toBe(1);
});

test('sources are listed by the median of how far they are from the blend', () => {
  const days = ['2026-03-17', '2026-03-18', '2026-03-19'];
  const rows = days.map((date, at) =>
    row(date, 2, {
      providers: [
        source('CBN', date, 3, { excluded: at > 0 }),
        source('ECB', date, [2, 2.02, 4][at] ?? 0),
        source('BOC', '2026-03-17', 2.01),
      ],
    }),
  );
  const rounded = deviationsOf(rows).map((one) => ({ ...one, deviation: one.deviation.toFixed(4) }));
  expect(rounded).toEqual([
    { key: 'BOC', deviation: '0.0050', count: 1, leftOut: 0 },
    { key: 'ECB', deviation: '0.0100', count: 3, leftOut: 0 },
    { key: 'CBN', deviation: '0.5000', count: 3, leftOut: 2 },
  ]);
});

test('the figures of weeks have the low and high of the week beside the lines of the sources', () => {
  const date = '2026-03-16';
  const stats = statsOf(1.15, 1.25);
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

describe('the scale', () => {
  test('is fitted to the line: a band that is far wider does not flatten it', () => {
    const rows = [row('2026-03-09', 1.4, { stats: statsOf(1, 2) }), row('2026-03-16', 1.5)];
    const [low, high] = rangeOf(figuresOf(rows, []));
    expect(low).toBeGreaterThan(1.3);
    expect(low).toBeLessThan(1.4);
    expect(high).toBeGreaterThan(1.5);
    expect(high).toBeLessThan(1.6);
  });

  test('is not changed by the line of a source', () => {
    const date = '2026-03-16';
    const rows = [row('2026-03-09', 1.4), row(date, 1.5)];
    const compared = [rows[0] ?? row(date, 1), row(date, 1.5, { providers: [source('CBN', date, 9)] })];
    const [, high] = rangeOf(figuresOf(compared, []));
    expect(high).toBeLessThan(1.6);
  });

  test('does not go below zero, and has room around a line that is level', () => {
    expect(rangeOf(figuresOf([row('2014-12-01', 2), row('2026-03-01', 44)], []))[0]).toBe(0);
    const [low, high] = rangeOf(figuresOf([row('2026-03-19', 2), row('2026-03-20', 2)], []));
    expect(low).toBeLessThan(2);
    expect(high).toBeGreaterThan(2);
  });
});
