import { expect, it } from 'vitest';
import { applyPegs, type DollarRate } from '../../../../core/domain/blend/apply-pegs.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { recencyWeight, upperMedian, weightedMean } from '../../../../core/domain/blend/consensus.js';
import { addDays } from '../../../../core/domain/dates.js';
import type { Peg } from '../../../../core/domain/pegs.js';
import { blend, sourcesOf } from './blending.js';

const DAY = '2026-03-16';

/** A row of `PROVIDER BASE/QUOTE RATE`, and how many days before the day it is dated. */
function row(text: string): RawRow {
  const [provider = '', pair = '', rate = '', age = '0'] = text.split(' ');
  const [base = '', quote = ''] = pair.split('/');
  return { provider, date: addDays(DAY, -Number(age)), base, quote, rate: Number(rate) };
}
const blendOf = (rows: readonly string[]) => blend(rows.map(row), DAY);

/** The blended rates by currency. */
const ratesOf = (rows: readonly string[]) =>
  Object.fromEntries(blendOf(rows).map(({ quote, rate }) => [quote, rate]));

function of(rows: readonly string[], quote: string) {
  const found = blendOf(rows).find((one) => one.quote === quote);
  if (!found) throw new Error(`no ${quote}`);
  const sources = sourcesOf(found).map(
    ({ provider, date, rate, excluded }) =>
      `${provider} ${date.slice(5)} ${rate}${excluded ? ' excluded' : ''}`,
  );
  return { ...found, sources, excluded: [...found.excluded] };
}

const BRIDGES = ['A EUR/NOK 12', 'A USD/EUR 0.5', 'A EUR/USD 4'];

it.each<[what: string, rows: string[], rates: Record<string, number>]>([
  ['counts for its own day and 14 more', ['A USD/NOK 10 14'], { NOK: 10 }],
  ['counts no longer', ['A USD/NOK 10 15'], {}],
  ['is the newest, of no later day', ['A USD/NOK 12', 'A USD/NOK 11 1', 'A USD/NOK 13 -1'], { NOK: 12 }],
  ['is the later of two of one pair and day', ['A USD/NOK 9', 'A USD/NOK 10'], { NOK: 10 }],
  ['of dollars is kept', ['A USD/JPY 150'], { JPY: 150 }],
  ['towards the dollar is inverted', ['A GBP/USD 1.25'], { GBP: 0.8 }],
  ['of the dollar in dollars is none', ['A USD/USD 1', 'A USD/NOK 9'], { NOK: 9 }],
  ['is bridged by the quote in dollars', ['A EUR/NOK 12', 'A USD/NOK 9'], { EUR: 0.75, NOK: 9 }],
  ['is bridged by the base in dollars', ['A EUR/NOK 12', 'A USD/EUR 0.75'], { EUR: 0.75, NOK: 9 }],
  ['is bridged by the dollar in the base', ['A EUR/NOK 12', 'A EUR/USD 1.6'], { EUR: 1 / 1.6, NOK: 7.5 }],
  // EUR is the mean of 0.75 by the quote, 0.5 as published and 0.25 inverted; NOK only as published.
  ['is bridged by the first of these', [...BRIDGES, 'A USD/NOK 9'], { EUR: 0.5, NOK: 9 }],
  ['is bridged by the second before the third', BRIDGES, { EUR: 0.375, NOK: 6 }],
  ['is bridged by its own provider alone', ['A EUR/NOK 12', 'B USD/NOK 9'], { NOK: 9 }],
  ['is dropped once its bridge has left the window', ['A EUR/NOK 12', 'A EUR/USD 1.2 15'], {}],
  ['is bridged by one of another day', ['A EUR/NOK 12 1', 'A EUR/USD 2 14'], { EUR: 0.5, NOK: 6 }],
])('a row %s', (_, rows, rates) => expect(ratesOf(rows)).toEqual(rates));

const THREE = ['A USD/EUR 0.9', `A EUR/USD ${1 / 0.6}`, 'A EUR/NOK 30', 'A USD/NOK 9'];

it('a provider that reaches a quote on several ways counts with the mean of all of them, not of one after the other', () => {
  // 0.9, 0.6 and 0.3: taken in pairs they would give 0.525 or another sum of halves and quarters.
  expect(of(THREE, 'EUR').rate).toBeCloseTo(0.6, 14);
  expect(of([...THREE, 'A EUR/SEK 20', 'A USD/SEK 4'], 'EUR').rate).toBeCloseTo(0.5, 14);
  expect(of(['A USD/EUR 0.5', 'A EUR/USD 1'], 'EUR').sources).toEqual(['A 03-16 0.75']);
});

it('a provider that reaches a quote on several ways counts once for each date, though another date stands between its ways', () => {
  expect(of(['A EUR/USD 1', 'A USD/EUR 0.5 1'], 'EUR').sources).toEqual(['A 03-15 0.5', 'A 03-16 1']);
  // In their order: EUR/NOK of the day, EUR/USD of the day before, USD/EUR of the day.
  const between = ['A EUR/NOK 30', 'A USD/NOK 7.5', 'A EUR/USD 1.6 1', 'A USD/EUR 0.75'];
  expect(of(between, 'EUR').sources).toEqual(['A 03-15 0.625', 'A 03-16 0.5']);
});

it('blends stand by quote, contributions by provider, sources by provider and date', () => {
  const rows = ['C USD/NOK 10', 'B USD/EUR 0.9', 'A USD/NOK 8', 'B USD/NOK 10', 'B NOK/USD 0.1 1'];
  rows.push('B NOK/EUR 0.09 2', 'A USD/CHF 0.8');
  expect(Object.keys(ratesOf(rows))).toEqual(['CHF', 'EUR', 'NOK']);
  const { contributions, sources } = of(rows, 'NOK');
  expect(contributions.map(({ provider }) => provider)).toEqual(['A', 'B', 'B', 'B', 'C']);
  expect(sources).toEqual(['A 03-16 8', 'B 03-14 10', 'B 03-15 10', 'B 03-16 10', 'C 03-16 10']);
});

it('consensus is the upper of two middle values', () => {
  expect(upperMedian(Float64Array.of(4, 1, 3, 2))).toBe(3);
  expect(upperMedian(Float64Array.of(3, 1, 2))).toBe(2);
});

it.each<[what: string, rates: number[], excluded: string[], more?: string[]]>([
  ['no provider of fewer than four', [10, 10, 100], []],
  ['one of four', [10, 10, 10, 100], ['P3']],
  ['none of three that have several rows', [10, 10, 100], [], ['P0 NOK/USD 0.1 1', 'P1 NOK/USD 0.1 1']],
  ['none within 5 % of the median, the limit included', [100, 100, 100, 105], []],
  ['one further above', [100, 100, 100, 105.01], ['P3']],
  // Median 100, deviations 0 1 1 1 9.5: ten times 1.
  ['none within ten median absolute deviations', [99, 100, 101, 101, 109.5], []],
  ['one further away', [99, 100, 101, 101, 111.5], ['P4']],
])('consensus excludes %s', (_, rates, excluded, more = []) => {
  const rows = rates.map((rate, index) => `P${index} USD/NOK ${rate}`);
  expect(of([...rows, ...more], 'NOK').excluded).toEqual(excluded);
});

it('a currency of which each provider has an outlier has no blended rate', () => {
  const pairs = ['USD/NOK 10 1', 'NOK/USD 0.1 2', 'USD/EUR 0.9', 'NOK/EUR 0.009'];
  const rows = ['A', 'B', 'C', 'D'].flatMap((key) => pairs.map((pair) => `${key} ${pair}`));
  expect(ratesOf(rows)).toEqual({ EUR: 0.9 });
  expect(ratesOf([...rows, 'E USD/NOK 11'])).toEqual({ EUR: 0.9 });
  expect(ratesOf([...rows, 'E USD/NOK 10'])).toEqual({ EUR: 0.9, NOK: 10 });
});

it('consensus leaves out every row of a provider that is left out, of that quote alone', () => {
  const rows = ['A', 'B', 'C'].map((key) => `${key} USD/NOK 10 1`);
  rows.push('D USD/NOK 30', 'D NOK/USD 0.1 1', 'D USD/SEK 11');
  const { sources, ...nok } = of(rows, 'NOK');
  // It is dated by the newest contribution that counts.
  expect(nok).toMatchObject({ rate: 10, date: '2026-03-15' });
  expect(sources.slice(3)).toEqual(['D 03-15 10 excluded', 'D 03-16 30 excluded']);
  expect(of(rows, 'SEK').excluded).toEqual([]);
});

it('weights are whole for three days and decay from then on', () => {
  const wanted = [1, 1, Math.exp(-0.5), Math.exp(-5), Math.exp(-5.5), Math.exp(-8.5)];
  expect([0, 3, 4, 13, 14, 20].map(recencyWeight)).toEqual(wanted);
  expect(weightedMean([], 0)).toBeNaN();
});

it('weights count from the newest contribution over all quotes', () => {
  const rows = ['A USD/NOK 20', 'B USD/NOK 10 4', 'C USD/SEK 8 4', 'D USD/SEK 4 14'];
  const [four, fourteen] = [Math.exp(-0.5), Math.exp(-5.5)];
  expect(of(rows, 'NOK').rate).toBeCloseTo((20 + 10 * four) / (1 + four), 12);
  expect(of(rows, 'SEK').rate).toBeCloseTo((8 * four + 4 * fourteen) / (four + fourteen), 12);
  expect(blendOf(rows).map(({ date }) => date)).toEqual([DAY, '2026-03-12']);
});

const peg = (quote: string, base: string, rate: number, since: string, until?: string): Peg => {
  return { quote, base, rate, since, until, authority: 'an authority', source: 'https://example.com' };
};
const AED = { quote: 'AED', date: '2026-02-27', rate: 3.7 };
/** What is not published is dated as the newest rate. */
const newest = (quote: string, rate: number) => ({ quote, date: '2026-03-02', rate });
const BLENDS: DollarRate[] = [AED, { quote: 'EUR', date: '2026-03-02', rate: 0.8 }];

it.each<[what: string, pegs: Peg[], changed: DollarRate[]]>([
  ['replace a rate of its date', [peg('AED', 'USD', 3, '1997-11-02')], [{ ...AED, rate: 3 }]],
  ['go over the anchor', [peg('XOF', 'EUR', 655.957, '1999-01-01')], [newest('XOF', 655.957 * 0.8)]],
  ['hold from their first day on', [peg('BMD', 'USD', 1, '2026-03-02')], [newest('BMD', 1)]],
  ['do not hold before it', [peg('BMD', 'USD', 1, '2026-03-03')], []],
  ['do not hold without their anchor', [peg('BTN', 'INR', 1, '1974-01-01')], []],
  ['hold before their end', [peg('ANG', 'USD', 1.79, '1971-12-18', '2026-03-03')], [newest('ANG', 1.79)]],
  ['do not hold at their end', [peg('ANG', 'USD', 1.79, '1971-12-18', '2026-03-02')], []],
  ['do not hold at it for a published rate', [peg('AED', 'USD', 3, '1997-11-02', '2026-02-27')], []],
])('pegs %s', (_, pegs, changed) => {
  const kept = BLENDS.filter(({ quote }) => !changed.some((one) => one.quote === quote));
  const sorted = [...kept, ...changed].sort((one, other) => (one.quote < other.quote ? -1 : 1));
  expect(applyPegs(BLENDS, pegs)).toEqual(sorted);
});

it('pegs stand by quote, dated by the newest rate wherever that stands, and not without one', () => {
  const pegs = [peg('MOP', 'USD', 2, '1990-01-01'), peg('BMD', 'USD', 2, '1990-01-01')];
  const blends = [
    { quote: 'CHF', date: '2026-03-02', rate: 0.8 },
    { quote: 'NOK', date: '2026-02-27', rate: 10 },
  ];
  const pegged = applyPegs(blends, pegs);
  expect(pegged.map(({ quote }) => quote)).toEqual(['BMD', 'CHF', 'MOP', 'NOK']);
  expect(pegged.map(({ date }) => date.slice(5))).toEqual(['03-02', '03-02', '03-02', '02-27']);
  expect(applyPegs([], pegs)).toEqual([]);
});
