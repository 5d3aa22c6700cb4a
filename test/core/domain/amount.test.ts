import { expect, test } from 'vitest';
import { converted, isAmount } from '../../../core/domain/amount.js';
import { minorUnitsOf } from '../../../core/domain/minor-units.js';

test.each([
  ['1000', 1.2345, 'JPY', '1235'],
  ['-1000', 1.2345, 'JPY', '-1235'],
  ['10', 1.2345, 'USD', '12.35'],
  ['10', 0.30005, 'KWD', '3.001'],
  ['1', 0.000123456, 'XAU', '0.000123456'],
  ['-0.001', 1, 'XAU', '-0.001'],
  ['-0.001', 1, 'USD', '0.00'],
  ['-0.4', 1, 'JPY', '0'],
  ['123456789012345678901234567890', 1.1, 'XDR', '135802467913580246791358024679'],
])('%s at %d is %s %s', (amount, rate, quote, result) => {
  expect(converted(amount, rate, quote)).toBe(result);
});

test.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['XAU', undefined],
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
