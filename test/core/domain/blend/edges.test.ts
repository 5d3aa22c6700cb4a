import { describe, expect, it } from 'vitest';
import { applyPegs } from '../../../../core/domain/blend/apply-pegs.js';
import { type Blend, blend, sourcesOf } from '../../../../core/domain/blend/blend.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { recencyWeight, weightedMean } from '../../../../core/domain/blend/weight.js';
import { blendEachDate } from './blend-each-date.js';

const DAY = '2026-03-02';
const row = (provider: string, base: string, quote: string, rate: number, date = DAY): RawRow => {
  return { provider, date, base, quote, rate };
};
const of = (rows: readonly RawRow[], quote: string, asOf = DAY): Blend | undefined =>
  blend(rows, asOf).find((one) => one.quote === quote);

describe('a provider that reaches a quote on several ways', () => {
  it('counts with the mean of all of them, not of one after the other', () => {
    // 0.9, 0.6 and 0.3: taken in pairs they would give 0.525 or another sum of halves and quarters.
    const rows = [
      row('A', 'USD', 'EUR', 0.9),
      row('A', 'EUR', 'USD', 1 / 0.6),
      row('A', 'EUR', 'NOK', 30),
      row('A', 'USD', 'NOK', 9),
    ];
    expect(of(rows, 'EUR')?.rate).toBeCloseTo(0.6, 14);
    const four = [...rows, row('A', 'EUR', 'SEK', 20), row('A', 'USD', 'SEK', 4)];
    expect(of(four, 'EUR')?.rate).toBeCloseTo((0.9 + 0.6 + 0.3 + 0.2) / 4, 14);
  });

  it('finds the ways of one date though another date stands between them', () => {
    // In their order: EUR/NOK of the second, EUR/USD of the first, USD/EUR of the second.
    const rows = [
      row('A', 'EUR', 'NOK', 30),
      row('A', 'USD', 'NOK', 9),
      row('A', 'EUR', 'USD', 1.6, '2026-03-01'),
      row('A', 'USD', 'EUR', 0.9),
    ];
    const sources = sourcesOf(of(rows, 'EUR') ?? expect.fail('no blend'));
    expect(sources.map(({ date }) => date)).toEqual(['2026-03-01', DAY]);
    expect(sources[0]?.rate).toBeCloseTo(0.625, 14);
    expect(sources[1]?.rate).toBeCloseTo(0.6, 14);
  });

  it('gives no rate of the dollar in dollars', () => {
    expect(
      blend([row('A', 'USD', 'USD', 1), row('A', 'USD', 'NOK', 9)], DAY).map(({ quote }) => quote),
    ).toEqual(['NOK']);
  });
});

describe('the order of', () => {
  const rows = [
    row('C', 'USD', 'NOK', 10),
    row('B', 'USD', 'EUR', 0.9),
    row('A', 'USD', 'NOK', 11),
    row('B', 'USD', 'NOK', 10),
    row('B', 'NOK', 'USD', 0.1, '2026-03-01'),
    row('B', 'NOK', 'EUR', 0.09, '2026-02-28'),
    row('A', 'USD', 'CHF', 0.8),
  ];

  it('blends is by quote', () => {
    expect(blend(rows, DAY).map(({ quote }) => quote)).toEqual(['CHF', 'EUR', 'NOK']);
  });

  it('contributions is by provider, that of sources by provider and date', () => {
    const nok = of(rows, 'NOK') ?? expect.fail('no blend');
    expect(nok.contributions.map(({ provider }) => provider)).toEqual(['A', 'B', 'B', 'B', 'C']);
    expect(sourcesOf(nok).map(({ provider, date }) => [provider, date])).toEqual([
      ['A', DAY],
      ['B', '2026-02-28'],
      ['B', '2026-03-01'],
      ['B', DAY],
      ['C', DAY],
    ]);
  });

  it('pegged rates is by quote, and the newest date may stand first', () => {
    const peg = {
      base: 'USD',
      rate: 2,
      since: '1990-01-01',
      authority: 'one',
      source: 'https://example.com',
    };
    const blends = [
      { quote: 'CHF', date: '2026-03-02', rate: 0.8 },
      { quote: 'NOK', date: '2026-02-27', rate: 10 },
    ];
    expect(
      applyPegs(blends, [
        { ...peg, quote: 'MOP' },
        { ...peg, quote: 'AED' },
      ]),
    ).toEqual([
      { quote: 'AED', date: '2026-03-02', rate: 2 },
      { quote: 'CHF', date: '2026-03-02', rate: 0.8 },
      { quote: 'MOP', date: '2026-03-02', rate: 2 },
      { quote: 'NOK', date: '2026-02-27', rate: 10 },
    ]);
  });
});

describe('carrying forward', () => {
  it('takes the later of two rows of one pair and day', () => {
    expect(of([row('A', 'USD', 'NOK', 9), row('A', 'USD', 'NOK', 10)], 'NOK')?.rate).toBe(10);
  });

  it('yields the last date where the window begins with it, and none before the window', () => {
    const rows = [row('A', 'USD', 'NOK', 9)];
    const dates = (from: string) =>
      [...blendEachDate(rows, { from, to: '2026-03-09' })].map(({ date }) => date);
    expect(dates(DAY)).toEqual([DAY]);
    expect(dates('2026-03-03')).toEqual([]);
    expect([...blendEachDate([], { from: DAY, to: DAY })]).toEqual([]);
  });

  it('says which rows are out of order', () => {
    const rows = [row('A', 'USD', 'NOK', 9), row('A', 'USD', 'NOK', 9, '2026-03-01')];
    expect(() => [...blendEachDate(rows, { from: DAY, to: DAY })]).toThrow(
      '2026-03-01 comes after 2026-03-02',
    );
  });
});

it('weighs an age that no window holds by the same rule', () => {
  expect(recencyWeight(20)).toBe(Math.exp(-8.5));
  expect(recencyWeight(13)).toBe(Math.exp(-5));
  expect(weightedMean([], 0)).toBeNaN();
});
