import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { converted } from '../../../core/domain/amount.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { readerOf } from '../../../src/pages/reader.js';
import { product } from '../../../src/pages/shared/product.js';
import { resultOf } from '../../../src/pages/shared/result.js';
import { breaking } from './support.js';

const english = readerOf('en-GB');
const Exact = Decimal.clone({ precision: 60 });

function shown(amount: string, base: string, rate: number, quote: string): string[] {
  const result = converted(amount, rate, quote);
  const conversion = { amount, base, quote, observed: '2026-03-20', rate, result };
  return Object.values(resultOf(conversion, english)).map(breaking);
}

test.each([
  ['100', 'EUR', 1.15634512345, 'USD', '115.63 USD', '1 EUR = 1.1563 USD', '0.86479'],
  ['1', 'IDR', 0.0000498210741478, 'EUR', '0.0000498 EUR', '1 IDR = 0.000049821 EUR', '20,072'],
  ['5', 'INR', 1.72345, 'JPY', '8.62 JPY', '1 INR = 1.7234 JPY', '0.58023'],
  ['123456789', 'EUR', 1.17880373421, 'USD', '145,531,323.89 USD', '1 EUR = 1.1788037342 USD', '0.84832'],
  ['100', 'EUR', 0.000245678912345, 'XAU', '0.0245679 XAU', '1 EUR = 0.000245679 XAU', '4,070.35'],
  ['0', 'EUR', 1.15, 'USD', '0.00 USD', '1 EUR = 1.1500 USD', '0.86957'],
  ['-0.001', 'EUR', 1e-7, 'USD', '-0.000000000100 USD', '1 EUR = 0.0000001 USD', '10,000,000'],
])('a conversion in words: %s %s at %f is %s %s', (amount, base, rate, quote, result, how, inverse) => {
  const texts = [result, `${how} on 20 March 2026`, `1 ${quote} = ${inverse} ${base}`];
  expect(shown(amount, base, rate, quote).slice(1)).toEqual(texts);
});

test('a conversion in words shows a rate that gives the result, which has three digits at least', () => {
  const amounts = fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => (cents / 100).toFixed(2));
  const rates = fc.double({ min: 1e-7, max: 1e5, noNaN: true }).map(roundForStorage);
  fc.assert(
    fc.property(amounts, rates, fc.constantFrom('USD', 'JPY', 'KWD'), (amount, rate, quote) => {
      const [, result = '', how = ''] = shown(amount, 'EUR', rate, quote).map((text) =>
        text.replaceAll(',', ''),
      );
      const figure = /^[\d.]+/.exec(result)?.[0] ?? '';
      const rateShown = /= ([\d.]+)/.exec(how)?.[1] ?? '';
      expect(figure.replace('.', '').replace(/^0+/, '').length).toBeGreaterThanOrEqual(3);
      const decimals = figure.split('.')[1]?.length ?? 0;
      expect(new Exact(amount).times(rateShown).toFixed(decimals, Decimal.ROUND_HALF_UP)).toBe(figure);
    }),
    {
      examples: [
        // Near the middle of two results, where doubles give another one than decimals do.
        ['9970702.88', 10447.0903618, 'KWD'],
        // Displayed at the middle of two rates.
        ['100000', 1.00005, 'USD'],
      ],
    },
  );
});

test.each([
  ['0.005', 1, 2, '0.01'],
  ['-0.005', 1, 2, '-0.01'],
  ['-0.004', 1, 2, '0.00'],
  ['2.5', 3, 0, '8'],
  ['2', 1.5e-7, 8, '0.00000030'],
  ['0.02', 1e21, 1, '20000000000000000000.0'],
])('%s times %f is, with %i decimals, %s', (amount, rate, decimals, expected) => {
  expect(product(amount, rate, decimals)).toBe(expected);
});
