import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  displayDecimals,
  roundForDisplay,
  roundForStorage,
  scaledDigits,
} from '../../../core/domain/rounding.js';
import { propertyRuns } from '../../support/property-runs.js';

it('a stored rate keeps twelve significant digits', () => {
  const rates = [1 / 3, 0.1 + 0.2, 16_543.123_456_789_12, 1.234e-9];
  expect(rates.map(roundForStorage)).toEqual([0.333333333333, 0.3, 16_543.123_456_8, 1.234e-9]);
});

it.each([
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
  // Halfway between two that can be shown, and a little below that, as a double is.
  [1.000_05, 1.0001],
  [1.001_05, 1.001],
  // Above all integers of 31 bits.
  [3_000_000_000.6, 3_000_000_001],
])('%d is shown as %d', (rate, shown) => {
  expect(roundForDisplay(rate)).toBe(shown);
});

it('a rate is shown with five significant digits from 1 down, and with the decimals of its size above', () => {
  const sizes = fc.constantFrom(1, 20, 80, 5000, 1e6, 3e9);
  const small = fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true });
  const large = fc.double({ min: 1, max: 4, noNaN: true, minExcluded: true });
  fc.assert(
    fc.property(small, sizes, large, (rate, size, factor) => {
      expect(roundForDisplay(rate)).toBe(Number(rate.toPrecision(5)));
      const above = size * factor;
      expect(roundForDisplay(above)).toBe(Number(above.toFixed(displayDecimals(above))));
    }),
    propertyRuns(10_000),
  );
});

it.each([
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

it.each([
  [0, 5000.01],
  [2, 5000, 80.01],
  [3, 80],
  [4, 20, 1.0001],
  [5, 1, 0.5],
  [6, 0.1, 0.05],
  [7, 0.005],
  [8, 0.0005],
  [9, 0.000_05],
  [10, 0.000_005],
  [undefined, 0.000_001, 0],
])('%s decimals are shown of %d', (decimals, ...rates) => {
  for (const rate of rates) expect(displayDecimals(Number(rate))).toBe(decimals);
});
