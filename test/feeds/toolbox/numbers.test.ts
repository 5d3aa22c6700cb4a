import { expect, test } from 'vitest';
import { numberOf, numberOrMissing } from '../../../worker/feeds/toolbox/numbers.js';

test.each([
  ['1,435.40', '.', 1435.4],
  ['1.435,40', ',', 1435.4],
  ['1 234 567.5', '.', 1234567.5],
  ['12,34,567', '.', 1234567],
  ["1'000", '.', 1000],
  ['5,88139E-05', ',', 5.88139e-5],
  ['.5', '.', 0.5],
  ['458', ',', 458],
] as const)('%s with the mark %s is %d', (text, mark, number) => {
  expect(numberOf(text, mark)).toBe(number);
});

test.each([
  // With the other mark these are numbers, a hundred times smaller than their digits alone.
  ['458,38', '.'],
  ['458.38', ','],
  ['1,23,45', '.'],
  ['1.2.3', '.'],
  ['12a', '.'],
  ['.', '.'],
  ['--1', '.'],
  ['1e', '.'],
] as const)('%s with the mark %s is refused', (text, mark) => {
  expect(() => numberOf(text, mark)).toThrow(/not a number/);
});

test('null, blank and the marks of a source are missing', () => {
  expect([null, undefined, ' ', 'ND'].map((value) => numberOrMissing(value, '.', ['ND']))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(() => numberOrMissing('ND')).toThrow(/not a number/);
});
