import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  displayDecimals,
  roundForDisplay,
  roundForStorage,
  scaledDigits,
} from '../../../core/domain/rounding.js';
import { propertyRuns } from '../../support/property-runs.js';

test('a stored rate keeps twelve significant digits', () => {
  expect(roundForStorage(1 / 3)).toBe(0.333333333333);
  expect(roundForStorage(0.1 + 0.2)).toBe(0.3);
  expect(roundForStorage(16_543.123_456_789_12)).toBe(16_543.123_456_8);
  expect(roundForStorage(1.234e-9)).toBe(1.234e-9);
});

test.each([
  [16_543.6, 16_544],
  [5000.4, 5000],
  [5000, 5000],
  [149.456_7, 149.46],
  [80.004_9, 80],
  [80, 80],
  [20.123_45, 20.123],
  [19.123_46, 19.1235],
  [1.084_549, 1.0845],
  [1, 1],
  [0.923_456_7, 0.923_46],
  [0.000_061_234_56, 0.000_061_235],
  [1e-12, 1e-12],
])('%d is shown as %d', (rate, shown) => {
  expect(roundForDisplay(rate)).toBe(shown);
});

test('a rate from 1 down is shown with five significant digits', () => {
  fc.assert(
    fc.property(fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true }), (rate) => {
      expect(roundForDisplay(rate)).toBe(Number(rate.toPrecision(5)));
    }),
    propertyRuns(10_000),
  );
});

test('a rate above 1 is shown with the decimals of its size', () => {
  const sizes = fc.constantFrom(1, 20, 80, 5000, 1e6, 3e9);
  fc.assert(
    fc.property(sizes, fc.double({ min: 1, max: 4, noNaN: true, minExcluded: true }), (size, factor) => {
      const rate = size * factor;
      expect(roundForDisplay(rate)).toBe(Number(rate.toFixed(displayDecimals(rate))));
    }),
    propertyRuns(10_000),
  );
});

test.each([
  ['halfway between two that can be shown', 1.000_05, 1.0001],
  ['a little below that, as a double is', 1.001_05, 1.001],
  ['above all integers of 31 bits', 3_000_000_000.6, 3_000_000_001],
])('%s: %d is shown as %d', (_, rate, shown) => {
  expect(roundForDisplay(rate)).toBe(shown);
});

test.each([
  [1.25, 2, 125],
  [1.256, 2, 126],
  [1.254, 2, 125],
  [0.3, 0, 0],
  // Close to the middle, on either side of it.
  [0.5, 0, undefined],
  [0.499_999_5, 0, undefined],
  [0.500_000_5, 0, undefined],
  [0.499_998, 0, 0],
  [0.500_002, 0, 1],
  // Of 31 bits at most.
  [2_147_483_646, 0, 2_147_483_646],
  [2_147_483_647, 0, undefined],
])('%d with %i decimals has the digits %s', (rate, decimals, digits) => {
  expect(scaledDigits(rate, decimals)).toBe(digits);
});

test.each([
  [5000.01, 0],
  [5000, 2],
  [80.01, 2],
  [80, 3],
  [20, 4],
  [1.0001, 4],
  [1, 5],
  [0.5, 5],
  [0.1, 6],
  [0.05, 6],
  [0.005, 7],
  [0.0005, 8],
  [0.000_05, 9],
  [0.000_005, 10],
  [0.000_001, undefined],
  [0, undefined],
])('%d is shown with %s decimals', (rate, decimals) => {
  expect(displayDecimals(rate)).toBe(decimals);
});
