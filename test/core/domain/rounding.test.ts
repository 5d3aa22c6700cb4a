import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as rounding from '../../../core/domain/rounding.js';
import { propertyRuns } from '../../support/property-runs.js';

it('a stored rate keeps twelve significant digits', () => {
  const rates = [1 / 3, 0.1 + 0.2, 16_543.123_456_789_12, 1.234e-9];
  expect(rates.map(rounding.roundForStorage)).toEqual([0.333333333333, 0.3, 16_543.123_456_8, 1.234e-9]);
});

it('a rate is shown with fewer decimals the larger it is', () => {
  const large = [16_543.6, 5000.4, 5000, 149.456_7, 80.004_9, 80, 20.123_45, 19.123_46, 1.084_549, 1];
  expect(large.map(rounding.roundForDisplay)).toEqual([
    ...[16_544, 5000, 5000, 149.46, 80, 80, 20.123, 19.1235, 1.0845, 1],
  ]);
  const small = [0.923_456_7, 0.000_061_234_56, 1e-12];
  expect(small.map(rounding.roundForDisplay)).toEqual([0.923_46, 0.000_061_235, 1e-12]);
  // Halfway between two that can be shown, and a little below that, as a double is.
  expect([1.000_05, 1.001_05].map(rounding.roundForDisplay)).toEqual([1.0001, 1.001]);
  // Above all integers of 31 bits.
  expect(rounding.roundForDisplay(3_000_000_000.6)).toBe(3_000_000_001);
});

it('a rate is shown with five significant digits from 1 down, and with the decimals of its size above', () => {
  const sizes = fc.constantFrom(1, 20, 80, 5000, 1e6, 3e9);
  const small = fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true });
  const large = fc.double({ min: 1, max: 4, noNaN: true, minExcluded: true });
  fc.assert(
    fc.property(small, sizes, large, (rate, size, factor) => {
      expect(rounding.roundForDisplay(rate)).toBe(Number(rate.toPrecision(5)));
      const above = size * factor;
      expect(rounding.roundForDisplay(above)).toBe(Number(above.toFixed(rounding.displayDecimals(above))));
    }),
    propertyRuns(10_000),
  );
});

it('a rate has the digits of its number of decimals, unless it lies close to the middle', () => {
  const { scaledDigits } = rounding;
  expect([1.25, 1.256, 1.254].map((rate) => scaledDigits(rate, 2))).toEqual([125, 126, 125]);
  const middle = [0.3, 0.499_998, 0.499_999_5, 0.5, 0.500_000_5, 0.500_002];
  const digits = [0, 0, undefined, undefined, undefined, 1];
  expect(middle.map((rate) => scaledDigits(rate, 0))).toEqual(digits);
  // Of 31 bits at most.
  expect([2_147_483_646, 2_147_483_647].map((rate) => scaledDigits(rate, 0))).toEqual([
    2_147_483_646,
    undefined,
  ]);
});

it('the decimals that are shown of a rate follow from its size', () => {
  const rates = [5000.01, 5000, 80.01, 80, 20, 1.0001, 1, 0.5, 0.1, 0.05, 0.005, 0.0005, 0.000_05, 0.000_005];
  expect(rates.map(rounding.displayDecimals)).toEqual([0, 2, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10]);
  expect([0.000_001, 0].map(rounding.displayDecimals)).toEqual([undefined, undefined]);
});
