import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountIn, portable } from '../../../src/pages/shared/amount.js';

const LOCALES = ['en-GB', 'en-IN', 'de-DE', 'de-CH', 'fr', 'es', 'ar-EG', 'fa', 'zh'];

test.each([
  ['1250.50', ['1250.50', '1,250.50', '1.250,50', "1'250.50", '1 250,50']],
  ['1250000', ['1,250,000', '1.250.000']],
  ['1234567.5', ['12,34,567.5']],
  ['12.5', ['12,5', '۱۲٫۵']],
  ['1250.125', ['1250.125']],
  ['0.125', ['0.125', '0,125']],
  ['-3', ['-3', '−3']],
  ['3', ['+3']],
  ['5', ['5.', '5,']],
  ['0.5', ['.5', ',5']],
  ['123.4', ['١٢٣٫٤']],
  ['1234.5', ['١٬٢٣٤٫٥']],
  ['12', ['１２']],
])('an amount in any language is read as %s: %j', (amount, typed) => {
  for (const text of typed)
    for (const locale of LOCALES) expect([text, amountIn(text, locale)]).toEqual([text, amount]);
});

const REFUSED = '1..2 1,,2 1.2.3 1,2,3.4 1.5. .. . - many 1e 5- --5 1٫2٫3 1,234,56';
test.each(['', ' ', ...REFUSED.split(' ')])('an amount in any language is refused: %s', (typed) => {
  for (const locale of LOCALES) expect(amountIn(typed, locale)).toBeUndefined();
});

test.each([
  ['1,250', 'en-GB', '1250'],
  ['1.250', 'en-GB', '1.250'],
  ['1,250', 'de-DE', '1.250'],
  ['-1.250', 'de-DE', '-1250'],
  ['1.250', 'ar-EG', '1.250'],
])('the amount %s is read in %s as %s', (typed, locale, amount) => {
  expect(amountIn(typed, locale)).toBe(amount);
});

test('what a language writes is read as it was', () => {
  const number = fc.bigInt(-(10n ** 18n), 10n ** 18n);
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), number, fc.nat({ max: 6 }), (locale, digits, decimals) => {
      const text = String(digits < 0n ? -digits : digits).padStart(decimals + 1, '0');
      const split = text.length - decimals;
      const fraction = decimals > 0 ? `.${text.slice(split)}` : '';
      const amount = `${digits < 0n ? '-' : ''}${text.slice(0, split)}${fraction}`;
      const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      const written = new Intl.NumberFormat(locale, options).format(amount as `${number}`);
      expect(amountIn(written, locale)).toBe(amount);
    }),
  );
});

test.each([
  ['1.250', '1.2500'],
  ['-1.250', '-1.2500'],
  ['1250', '1250'],
  ['0.125', '0.125'],
])('the amount %s is the same number in every language as %s', (amount, expected) => {
  expect(portable(amount)).toBe(expected);
  for (const locale of LOCALES) expect(Number(amountIn(expected, locale))).toBe(Number(amount));
});
