import { expect, it } from 'vitest';
import { named, type Table, walk } from './judging.js';

const none = undefined;
const times = <T>(count: number, one: T): T[] => Array(count).fill(one);

/** Of one source, that repeats a rate by a factor of ten. */
const pound = (count: number) => ({ 'BDL USD/LBP': [1507.5, ...times(count, 15_000)] });
const CONTRADICTED = { ...pound(14), 'IMF USD/LBP': times(15, 1507.5) };
const naira = (...more: [number, number][]) => ({
  'CBN USD/NGN': [464.67, 464.8, 664.04, ...more.map(([usd]) => usd)],
  'CBN EUR/NGN': [501.8, 502, 717.2, ...more.map(([, eur]) => eur)],
  'ECB EUR/USD': times(4, 1.08),
});
const POUND_OF_THREE = {
  ...{ 'CBE USD/EGP': [30.85, 49.5], 'CBG USD/EGP': [30.9, 48.9], 'IMF USD/EGP': [30.9, none, 49.4] },
};
const POUND_OF_TWO = { 'CBE USD/EGP': [30.8, 43.12], 'CBG USD/EGP': [30.8, none, 43.2] };
const BIRR = { 'NBE USD/ETB': [57.68, 57.7, 57.75, 74.74, 77.13, 83.9, 90.1] };
const BOLIVAR = {
  'BDP USD/VES': [4_165_000, 4_181_000, 4.18, 4.17],
  'CBR USD/VES': [...times(4, 4_181_000), 4.17],
};
/** Two sources that share a slip, and what each says then. */
const slip = (a: number[], b: number[], c?: (number | undefined)[]): Table => ({
  'A USD/MWK': [1735, 17_350, ...a],
  'B USD/MWK': [1735, 17_360, ...b],
  ...(c && { 'C USD/MWK': c }),
});

it.each<[what: string, table: Table, states: string[]]>([
  ['of the naira, 2023, of one source', naira(), ['held', 'held']],
  ['that the next confirms', naira([671.1, 724.8]), times(3, 'next 4')],
  ['of the Egyptian pound, 2024, of two sources', POUND_OF_THREE, times(2, 'peers 2')],
  ['of the Egyptian pound, that the other one follows', POUND_OF_TWO, times(2, 'peers 3')],
  ['of the birr, 2024, that goes on', BIRR, times(2, 'next 5')],
  ['of the Lebanese pound, 2023, nine times by a factor of ten', pound(9), times(9, 'held')],
  ['of the Lebanese pound, ten times', pound(10), times(10, 'next 11')],
  ['of the Lebanese pound, that another contradicts', CONTRADICTED, times(14, 'held')],
  ['of the bolivar, 2021, by a new unit', BOLIVAR, ['peers 5', 'peers 5', 'other 5']],
  ['that is a slip of two of three', slip([1735], [1735], times(3, 1735)), times(2, 'held')],
  ['that is taken back', slip([1735], [1735], [1735, none, 1735]), times(2, 'held')],
  ['that is a slip of two of two', slip([1735], [1736]), times(2, 'held')],
  ['of two by a factor of ten that they repeat', slip([17_350], [17_350]), times(4, 'peers 3')],
])('a move %s is judged', (_, table, states) => expect(walk(table).states).toEqual(states));

it.each([
  ['DKK', 10.9, 1.1223, 'factor_of_ten'],
  ['AED', 19.6, 234.32, 'jump'],
])('a wrong figure of The Gambia, %s at %d as %d, is held back', (code, right, wrong, reason) => {
  const table = { [`CBG ${code}/GMD`]: [right, right, wrong], 'CBG USD/GMD': [71.5, 71.5, 71.45] };
  const others = { [`ECB USD/${code}`]: times(3, Number((71.5 / right).toPrecision(6))) };
  expect(walk(table).described).toEqual([`3 CBG ${code}/GMD ${wrong} ${reason}: held`]);
  expect(walk({ ...table, ...others }).states).toEqual(['held']);
});

it('a wrong figure that one source alone repeats is not trusted on the second day, and the first right one after it is at once', () => {
  const { states, carried } = walk({ 'CBN USD/NGN': [460, 46_000, 46_100, 46_050, 461] });
  expect(states).toEqual(times(3, 'held'));
  expect(named(carried, 'CBN USD/NGN').rate).toBe(461);
});

it('a wrong figure of a pair that is published monthly is held back', () => {
  const { described } = walk({ 'RBM USD/MWK': [1735, 1740, 1.742, 1745] }, { days: [1, 31, 62, 92] });
  expect(described).toEqual(['62 RBM USD/MWK 1.742 factor_of_ten: held']);
});

it.each([
  ['together', [none, 36.5], [none, 730_000]],
  ['the right one first', [none, 36.5], [none, none, 730_000]],
  ['the wrong one first', [none, none, 36.5], [none, 730_000]],
])(
  'a wrong figure of a new source is held back where another agrees with the last: %s',
  (_, right, wrong) => {
    const table = { 'A USD/VES': [36], 'B USD/VES': right, 'C USD/VES': wrong };
    const { suspects, carried } = walk(table, { days: [1, 23, 24] });
    expect(suspects.map(({ series, confirmedOn }) => [series.provider, confirmedOn])).toEqual([['C', none]]);
    expect(named(carried, 'B USD/VES').rate).toBe(36.5);
  },
);
