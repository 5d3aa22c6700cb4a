import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { converted, isAmount } from '../../../core/domain/amount.js';
import { minorUnitsOf } from '../../../core/domain/minor-units.js';
import { propertyRuns } from '../../support/property-runs.js';

test.each([
  ['1000', 1.2345, 'JPY', '1235'],
  ['-1000', 1.2345, 'JPY', '-1235'],
  ['10', 1.2345, 'USD', '12.35'],
  ['10', 0.30005, 'KWD', '3.001'],
  ['1', 0.000123456, 'XAU', '0.000123456'],
  ['-0.001', 1, 'XAU', '-0.001'],
  ['-0.001', 1, 'USD', '0.00'],
  ['-0.4', 1, 'JPY', '0'],
  ['0', 1.5, 'XAU', '0'],
  ['-0', 1.5, 'XAU', '0'],
  ['-0.00', 1.5, 'USD', '0.00'],
  // In doubles these products lie on the wrong side of the middle.
  ['1', 1.005, 'USD', '1.01'],
  ['-1', 1.005, 'USD', '-1.01'],
  ['100', 1.15, 'JPY', '115'],
  ['8.5', 0.1, 'USD', '0.85'],
  ['-1', 0.0049999999, 'USD', '0.00'],
  ['-1', 0.005, 'USD', '-0.01'],
  ['123456789012345678901234567890', 1.1, 'USD', '135802467913580246791358024679.00'],
  ['-21474836.47', 1, 'USD', '-21474836.47'],
  ['-21474836.48', 1, 'USD', '-21474836.48'],
  ['123456789012345678901234567890', 1.1, 'XDR', '135802467913580246791358024679'],
])('%s at %d is %s %s', (amount, rate, quote, result) => {
  expect(converted(amount, rate, quote)).toBe(result);
});

test.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['XAU', undefined],
  ['XDR', undefined],
])('amounts of %s have %s decimals', (code, decimals) => {
  expect(minorUnitsOf(code)).toBe(decimals);
});

test.each(['1', '-1', '0.5', '9'.repeat(30), `-0.${'1'.repeat(29)}`])('%s is an amount', (text) => {
  expect(isAmount(text)).toBe(true);
});

test.each(['', '1.', '.5', '+1', '1e3', ' 1', '1,5', '9'.repeat(31), `-0.${'1'.repeat(30)}`])(
  '"%s" is no amount',
  (text) => {
    expect(isAmount(text)).toBe(false);
  },
);

describe('any conversion', () => {
  const digits = (most: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(most) - 1n });
  /** An integer and how many of its digits are decimals: exact, as the results are. */
  const amount = fc.record({ value: digits(30), decimals: fc.nat(6), isNegative: fc.boolean() });
  const rate = fc.record({ value: digits(12), decimals: fc.integer({ min: 0, max: 11 }) });
  const decimal = ({ value, decimals }: { value: bigint; decimals: number }) => {
    const text = String(value).padStart(decimals + 1, '0');
    return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
  };

  test('is the exact product, rounded half away from zero', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          amount,
          amount.map((one) => ({ ...one, value: one.value % 1_000_000n })),
        ),
        rate,
        fc.constantFrom('USD', 'JPY', 'KWD'),
        (one, by, quote) => {
          const decimals = minorUnitsOf(quote) ?? 0;
          const scale = 10n ** BigInt(one.decimals + by.decimals);
          const product = one.value * by.value * 10n ** BigInt(decimals);
          const value = (product * 2n + scale) / (scale * 2n);
          const sign = one.isNegative && value > 0n ? '-' : '';
          const text = `${one.isNegative ? '-' : ''}${decimal(one)}`;
          expect(converted(text, Number(decimal(by)), quote)).toBe(`${sign}${decimal({ value, decimals })}`);
        },
      ),
      propertyRuns(5000, 500),
    );
  });
});
