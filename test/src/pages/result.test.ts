import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { converted } from '../../../core/domain/amount.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { createFormats } from '../../../src/pages/shared/format.js';
import { en } from '../../../src/pages/shared/messages/en.js';
import { resultOf } from '../../../src/pages/shared/result.js';

const writing = { formats: createFormats('en-GB'), messages: en };

function shown(amount: string, base: string, rate: number, quote: string): string[] {
  const result = converted(amount, rate, quote);
  return Object.values(resultOf({ amount, base, quote, observed: '2026-03-20', rate, result }, writing));
}

describe('a conversion in words', () => {
  test.each([
    ['100', 'EUR', 1.15634512345, 'USD', '115.63 USD', '1 EUR = 1.1563 USD, observed 20 March 2026'],
    [
      '1',
      'IDR',
      0.0000498210741478,
      'EUR',
      '0.0000498 EUR',
      '1 IDR = 0.000049821 EUR, observed 20 March 2026',
    ],
    ['5', 'INR', 1.72345, 'JPY', '8.62 JPY', '1 INR = 1.7235 JPY, observed 20 March 2026'],
    [
      '123456789',
      'EUR',
      1.17880373421,
      'USD',
      '145,531,323.89 USD',
      '1 EUR = 1.1788037342 USD, observed 20 March 2026',
    ],
    [
      '100',
      'EUR',
      0.000245678912345,
      'XAU',
      '0.0245679 XAU',
      '1 EUR = 0.000245679 XAU, observed 20 March 2026',
    ],
    ['0', 'EUR', 1.15, 'USD', '0.00 USD', '1 EUR = 1.1500 USD, observed 20 March 2026'],
  ])('%s %s at %f is %s %s', (amount, base, rate, quote, result, how) => {
    expect(shown(amount, base, rate, quote).slice(1)).toEqual([result, how]);
  });

  test('shows a rate that gives the result, which has three digits at least', () => {
    const amounts = fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => (cents / 100).toFixed(2));
    const rates = fc.double({ min: 1e-7, max: 1e5, noNaN: true }).map(roundForStorage);
    fc.assert(
      fc.property(amounts, rates, fc.constantFrom('USD', 'JPY', 'KWD'), (amount, rate, quote) => {
        const [, result = '', how = ''] = shown(amount, 'EUR', rate, quote).map((text) =>
          text.replaceAll(',', ''),
        );
        const figure = /^[\d.]+/.exec(result)?.[0] ?? '';
        const rateShown = Number(/= ([\d.]+)/.exec(how)?.[1]);
        expect(figure.replace('.', '').replace(/^0+/, '').length).toBeGreaterThanOrEqual(3);
        const decimals = figure.split('.')[1]?.length ?? 0;
        // Within half a unit of the last digit, but for what twelve digits can't tell.
        expect(Math.abs(Number(amount) * rateShown - Number(figure))).toBeLessThan(0.5001 * 10 ** -decimals);
      }),
    );
  });
});
