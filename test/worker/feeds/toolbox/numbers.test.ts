import { expect, test } from 'vitest';
import { FeedError } from '../../../../worker/feeds/feed.js';
import { numberOf, numberOrMissing } from '../../../../worker/feeds/toolbox/numbers.js';
import { perTroyOunce } from '../../../../worker/feeds/toolbox/troy-ounce.js';

test.each([
  ['1.0845', '.', 1.0845],
  [' 1,234,567.89 ', '.', 1234567.89],
  ['12,34,567.5', '.', 1234567.5],
  ["1'234.5", '.', 1234.5],
  ['.5', '.', 0.5],
  ['5.', '.', 5],
  ['-3.2', '.', -3.2],
  ['1,085.0', '.', 1085],
  ['1e3', '.', 1000],
  ['5.88139E-05', '.', 5.88139e-5],
  ['402,61', ',', 402.61],
  ['1.953,0200', ',', 1953.02],
  ['17.639.727,80', ',', 17639727.8],
  ['1 234,50', ',', 1234.5],
  ['1\u00a0234\u202f567,5', ',', 1234567.5],
  ['+1.085,0', ',', 1085],
  ['  7 ', ',', 7],
  ['5,88139E-05', ',', 5.88139e-5],
] as const)('%s with the mark %s is %d', (text, mark, value) => expect(numberOf(text, mark)).toBe(value));

test.each([
  ['1,085', '.'],
  ['1.085', ','],
  ['+1,085', '.'],
  ['458,38', '.'],
  ['458.38', ','],
  ['1,23,45.0', '.'],
  ['1234,567.0', '.'],
] as const)('%s may be another mark than %s', (text, mark) => {
  expect(() => numberOf(text, mark)).toThrow(/^not a number: "/);
});

test.each(['', '-', 'n/a', '1.2.3', '1,2', '12abc', '0x10', 'Infinity', 'NaN', '--1', '.', 'e5', '1 2 3'])(
  '%j is no number',
  (text) => expect(() => numberOf(text)).toThrow(FeedError),
);

test('no field is an error, and a long text is quoted in part', () => {
  for (const read of [() => numberOf(undefined), () => numberOf(null), () => numberOrMissing(undefined)])
    expect(read).toThrow('no number where one is expected');
  expect(() => numberOf('x'.repeat(50))).toThrow(`not a number: "${'x'.repeat(40)}"`);
});

test('what a source prints for nothing is missing, and other words are an error', () => {
  for (const value of [null, '', '  ', ' ND ']) expect(numberOrMissing(value, ',', ['ND'])).toBeUndefined();
  expect(numberOrMissing(3.5)).toBe(3.5);
  expect(() => numberOrMissing('NA', ',', ['ND'])).toThrow(/not a number: "NA"/);
});

test('a gram at 12957.47 is an ounce at 403022.367531696, and none is none', () => {
  expect(perTroyOunce(12957.47)).toBeCloseTo(403022.367531696, 8);
  expect([perTroyOunce(undefined), perTroyOunce(0)]).toEqual([undefined, 0]);
});
