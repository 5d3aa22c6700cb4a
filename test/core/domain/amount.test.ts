import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountIn, changeBetween, converted, mayBeRounded, product } from '../../../core/domain/amount.js';
import { minorUnitsOf } from '../../../core/domain/currencies.js';
import { propertyRuns } from '../../support/property-runs.js';

it.each([
  ['1000', 1.2345, 'JPY', '1235'],
  ['10', 1.2345, 'USD', '12.35'],
  ['10', 0.30005, 'KWD', '3.001'],
  ['1', 0.000123456, 'XAU', '0.000123456'],
  ['-0.001', 1, 'USD', '0.00'],
  ['-0.4', 1, 'JPY', '0'],
  ['-0', 1.5, 'XAU', '0'],
  // In doubles these products lie on the wrong side of the middle.
  ['1', 1.005, 'USD', '1.01'],
  ['100', 1.15, 'JPY', '115'],
  ['-1', 0.0049999999, 'USD', '0.00'],
  ['-1', 0.005, 'USD', '-0.01'],
  ['123456789012345678901234567890', 1.1, 'USD', '135802467913580246791358024679.00'],
  ['-21474836.48', 1, 'USD', '-21474836.48'],
])('%s at %d is %s %s', (amount, rate, quote, result) => expect(converted(amount, rate, quote)).toBe(result));

it.each([12345678901234567000, 0.1 + 0.2, 2 ** 53])('a JSON number may have lost digits: %d', (value) => {
  expect(mayBeRounded(value)).toBe(true);
});

it.each([12.5, 0.1, 1e30, 123456789012345, '0.30000000000000004'])('a value is exact: %s', (value) => {
  expect(mayBeRounded(value)).toBe(false);
});

it('amounts have the decimals of their currency', () => {
  const decimals = ['USD', 'JPY', 'KWD', 'CLF', 'XAU', 'XDR'].map(minorUnitsOf);
  expect(decimals).toEqual([2, 0, 3, 4, undefined, undefined]);
});

it.each([
  ...['1', '-1', '0.5', '007.10', '9'.repeat(30), `-0.${'1'.repeat(29)}`].map((text) => [text, text]),
  ['1e-7', '0.0000001'],
  ['-1.5E3', '-1500'],
  ['1e+21', '1000000000000000000000'],
  ['123e-2', '1.23'],
  ['1e-29', `0.${'0'.repeat(28)}1`],
  [`${'1'.repeat(30)}e-29`, `1.${'1'.repeat(29)}`],
  ['0e0', '0'],
] as [string, string][])('%s is the amount %s', (text, amount) => expect(amountIn(text)).toBe(amount));

it.each([
  ['digits missing', '', '1.', '.5', '1e', 'e5', '1e+', '1e1.5'],
  ['other signs', '+1', ' 1', '1,5', '0x10', 'Infinity', 'NaN'],
  ['more than thirty digits', '9'.repeat(31), `-0.${'1'.repeat(30)}`, '1e30', '1e-30', '0e30'],
  ['too large an exponent', '1e999', '1e-999', '1e9999999999', '1e0000000'],
])('with %s it is no amount', (_, ...texts) => {
  for (const text of texts) expect(amountIn(text), text).toBeUndefined();
});

it('a number with an exponent is the same number without one, of at most thirty digits', () => {
  const part = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most });
  const whole = fc.tuple(fc.constantFrom(...'0123456789'), part(20)).map((digits) => digits.join(''));
  const exponent = fc.oneof(fc.integer({ min: -35, max: 35 }), fc.integer({ min: -999, max: 999 }));
  /** The same digits with their point moved. */
  function moved(whole: string, fraction: string, by: number): string {
    const digits = whole + fraction;
    const at = whole.length + by;
    if (at <= 0) return `0.${'0'.repeat(-at)}${digits}`;
    if (at >= digits.length) return digits + '0'.repeat(at - digits.length);
    return `${digits.slice(0, at)}.${digits.slice(at)}`;
  }
  /** Without zeros before it and behind it. */
  const bare = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`;
  };
  fc.assert(
    fc.property(whole, part(20), exponent, fc.constantFrom('', '-'), (whole, fraction, by, sign) => {
      const expected = moved(whole, fraction, by);
      const found = amountIn(`${sign}${whole}${fraction && `.${fraction}`}e${by}`);
      if (expected.replace('.', '').length > 30) {
        expect(found).toBeUndefined();
        return;
      }
      expect(found).toMatch(/^-?\d+(\.\d+)?$/);
      expect(bare(found?.replace('-', '') ?? '')).toBe(bare(expected));
      // Zero may have a sign or none.
      if (/[1-9]/.test(expected)) expect(found?.startsWith('-')).toBe(sign === '-');
    }),
    propertyRuns(20_000),
  );
});

it('a conversion is the exact product, rounded half away from zero', () => {
  const digits = (most: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(most) - 1n });
  const size = fc.oneof(digits(30), digits(6));
  /** An integer and how many of its digits are decimals: exact, as the results are. */
  const amount = fc.record({ value: size, decimals: fc.nat(6), isNegative: fc.boolean() });
  const rate = fc.record({ value: digits(12), decimals: fc.integer({ min: 0, max: 11 }) });
  const decimal = ({ value, decimals }: { value: bigint; decimals: number }) => {
    const text = String(value).padStart(decimals + 1, '0');
    return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
  };
  fc.assert(
    fc.property(amount, rate, fc.constantFrom('USD', 'JPY', 'KWD'), (one, by, quote) => {
      const decimals = minorUnitsOf(quote) ?? 0;
      const scale = 10n ** BigInt(one.decimals + by.decimals);
      const value = (one.value * by.value * 10n ** BigInt(decimals) * 2n + scale) / (scale * 2n);
      const sign = one.isNegative && value > 0n ? '-' : '';
      const text = `${one.isNegative ? '-' : ''}${decimal(one)}`;
      expect(converted(text, Number(decimal(by)), quote)).toBe(`${sign}${decimal({ value, decimals })}`);
    }),
    propertyRuns(5000),
  );
});

it.each([
  ['100', 1.1546, 6, 115.46],
  // Doubles have less than the middle here.
  ['0.5', 1.000001, 6, 0.500001],
  ['1.005', 1, 2, 1.01],
])('%s at %s is, to %s decimals, %s', (amount, rate, decimals, result) => {
  expect(product(amount, rate, decimals)).toBe(result);
});

it.each([
  [1.1537, 1.1546, 0.0009, 0.078],
  [1.16, 1.1561, -0.0039, -0.3362],
  [1, 1.00005, 0.0001, 0.005],
  [2, 2, 0, 0],
])('from %s to %s it is %s, which is %s percent', (start, end, change, percent) => {
  expect(changeBetween(start, end, 4)).toEqual({ change, percent });
});
