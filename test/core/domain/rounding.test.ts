import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
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
    propertyRuns(10_000, 2_000),
  );
});
