import { describe, expect, it } from 'vitest';
import { named, type Table, type WalkOptions, walk } from './judging.js';

const none = undefined;
const times = <T>(count: number, one: T): T[] => Array(count).fill(one);
const told = (table: Table, options?: WalkOptions) => walk(table, options).told;
const states = (table: Table, options?: WalkOptions) => walk(table, options).states;

describe('a devaluation', () => {
  it('of the naira, 2023, that one source tells: is blended from its first day on once the next rate confirms it', () => {
    const naira = {
      'CBN USD/NGN': [464.67, 464.8, 664.04],
      'CBN EUR/NGN': [501.8, 502, 717.2],
      'ECB EUR/USD': times(4, 1.08),
    };
    expect(states(naira)).toEqual(['held', 'held']);
    expect(walk(naira).blend(3, 'NGN')).toBe(464.8);
    const confirmed = walk({
      ...naira,
      'CBN USD/NGN': [464.67, 464.8, 664.04, 671.1],
      'CBN EUR/NGN': [501.8, 502, 717.2, 724.8],
    });
    expect(confirmed.states).toEqual(['next 4', 'other 4', 'next 4']);
    expect(confirmed.blend(3, 'NGN')).toBe(664.04);
  });

  it('of the Egyptian pound, 2024, that two sources tell on one day: is blended on that day', () => {
    const { states, blend } = walk({
      'CBE USD/EGP': [30.85, 49.5],
      'CBG USD/EGP': [30.9, 48.9],
      'IMF USD/EGP': [30.9, none, 49.4],
    });
    expect(states).toEqual(['peers 2', 'peers 2']);
    expect(blend(2, 'EGP')).toBeCloseTo((49.5 + 48.9 + 30.9) / 3, 9);
    expect(blend(3, 'EGP')).toBeCloseTo((49.5 + 48.9 + 49.4) / 3, 9);
  });

  it('of the Egyptian pound that two banks tell one after the other: is theirs from then on', () => {
    const banks = { 'CBE USD/EGP': [30.8, 43.12], 'CBG USD/EGP': [30.8, none, 43.2] };
    expect(told({ 'CBE USD/EGP': [30.8, 43.12], 'CBG USD/EGP': [30.8] })).toEqual([
      '2 CBE USD/EGP 43.12 jump: held',
    ]);
    expect(walk(banks).blend(3, 'EGP')).toBeCloseTo(43.16, 9);
    const { states, blend } = walk({ ...banks, 'ECB EUR/USD': [none, none, none, 1.1] });
    expect(states).toEqual(['peers 3', 'peers 3']);
    expect(blend(4, 'EGP')).toBeCloseTo(43.16, 9);
  });

  it('of the birr, 2024, that goes on falling: is blended from its first day on', () => {
    const { states, blend } = walk({ 'NBE USD/ETB': [57.68, 57.7, 57.75, 74.74, 77.13, 83.9, 90.1] });
    expect(states).toEqual(['next 5', 'next 5', 'next 6', 'next 7']);
    expect(blend(4, 'ETB')).toBe(74.74);
  });

  it('by a factor of ten, as of the Lebanese pound, 2023: takes ten publications in a row', () => {
    const pound = (count: number) => walk({ 'BDL USD/LBP': [1507.5, ...times(count, 15_000)] });
    expect(pound(9).states).toEqual(times(9, 'held'));
    expect(pound(10).states).toEqual(times(10, 'next 11'));
    expect(pound(10).blend(2, 'LBP')).toBe(15_000);
    const contradicted = { 'BDL USD/LBP': [1507.5, ...times(14, 15_000)], 'IMF USD/LBP': times(15, 1507.5) };
    expect(states(contradicted)).toEqual(times(14, 'held'));
  });

  it('by a new unit, as of the bolivar, 2021: is blended once a second source has it', () => {
    const bolivar = {
      'BDP USD/VES': [4_165_000, 4_181_000, 4.18, 4.17],
      'CBR USD/VES': [...times(4, 4_181_000), 4.17],
    };
    expect(walk(bolivar).blend(5, 'VES')).toBeCloseTo((4.17 + 4.17) / 2, 9);
  });
});

describe('a wrong figure', () => {
  it.each([
    ['DKK', 10.9, 1.1223, 'factor_of_ten'],
    ['AED', 19.6, 234.32, 'jump'],
    ['SEK', 7.66, 0.9325, 'jump'],
    ['GBP', 97.1, 14.54, 'jump'],
  ])(
    'of the Central Bank of The Gambia, %s at %d as %d, is held back with and without others',
    (code, right, wrong, reason) => {
      const table = { [`CBG ${code}/GMD`]: [right, right, wrong], 'CBG USD/GMD': [71.5, 71.5, 71.45] };
      const others = { [`ECB USD/${code}`]: times(3, Number((71.5 / right).toPrecision(6))) };
      expect(told(table)).toEqual([`3 CBG ${code}/GMD ${wrong} ${reason}: held`]);
      expect(states({ ...table, ...others })).toEqual(['held']);
    },
  );

  it('that one source alone repeats is not believed on the second day, and the first right one after it is at once', () => {
    const { states, carried } = walk({ 'CBN USD/NGN': [460, 46_000, 46_100, 46_050, 461] });
    expect(states).toEqual(times(3, 'held'));
    expect(named(carried, 'CBN USD/NGN').rate).toBe(461);
  });

  it('that two of three sources share is held back beside the third', () => {
    const slip = { 'A USD/MWK': [1735, 17_350, 1735], 'B USD/MWK': [1735, 17_360, 1735] };
    const { states, blend } = walk({ ...slip, 'C USD/MWK': times(3, 1735) });
    expect([states, blend(2, 'MWK')]).toEqual([['held', 'held'], 1735]);
  });

  it('that two of three share before the third has spoken is taken back on the next day', () => {
    const slip = { 'A USD/MWK': [1735, 17_350], 'B USD/MWK': [1735, 17_360], 'C USD/MWK': [1735] };
    expect(walk(slip).blend(2, 'MWK')).toBeCloseTo(12_148.33, 2);
    const next = {
      'A USD/MWK': [1735, 17_350, 1735],
      'B USD/MWK': [1735, 17_360, 1735],
      'C USD/MWK': [1735, none, 1735],
    };
    const { states, blend } = walk(next);
    expect([states, blend(2, 'MWK')]).toEqual([times(2, 'peers 2, refuted 3'), 1735]);
  });

  it('that two of two share is taken in on its day, and taken back on the next', () => {
    const slip = { 'A USD/MWK': [1735, 17_350, 1735], 'B USD/MWK': [1735, 17_360, 1736] };
    const { states, blend } = walk(slip);
    expect(states).toEqual(['peers 2, refuted 3', 'peers 2, refuted 3', 'peers 3', 'peers 3']);
    expect([blend(2, 'MWK'), blend(3, 'MWK')]).toEqual([1735, 1735.5]);
  });

  it.each([
    ['monthly', [1, 31, 62, 92]],
    ['after a pause of 16 days', [1, 2, 18, 19]],
  ])('of a pair that is published %s is held back', (_, days) => {
    const table = { 'RBM USD/MWK': [1735, 1740, 1.742, 1745] };
    expect(told(table, { days })).toEqual([`${days[2]} RBM USD/MWK 1.742 factor_of_ten: held`]);
  });

  it.each([
    ['together', [none, 36.5], [none, 730_000]],
    ['the right one first', [none, 36.5], [none, none, 730_000]],
    ['the wrong one first', [none, none, 36.5], [none, 730_000]],
  ])('of a new source is held back where what was last known agrees with another: %s', (_, right, wrong) => {
    const table = { 'A USD/VES': [36], 'B USD/VES': right, 'C USD/VES': wrong };
    const { suspects, carried } = walk(table, { days: [1, 23, 24] });
    expect(suspects.map(({ series, confirmedOn }) => [series.provider, confirmedOn])).toEqual([['C', none]]);
    expect(named(carried, 'B USD/VES').rate).toBe(36.5);
  });
});
