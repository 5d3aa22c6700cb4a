import { expect, test } from 'vitest';
import { converted } from '../../../core/domain/amount.js';
import { readerOf } from '../../../src/pages/reader.js';
import { resultOf } from '../../../src/pages/result.js';
import { breaking } from './support.js';

const english = readerOf('en-GB');

function shown(amount: string, base: string, rate: number, quote: string): string[] {
  const result = converted(amount, rate, quote);
  const conversion = { amount, base, quote, observed: '2026-03-20', rate, result };
  return Object.values(resultOf(conversion, english, true)).map((text) => breaking(String(text)));
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
  const texts = [result, `${how} · 1 ${quote} = ${inverse} ${base} on 20 March 2026`];
  expect(shown(amount, base, rate, quote).slice(1)).toEqual(texts);
});
