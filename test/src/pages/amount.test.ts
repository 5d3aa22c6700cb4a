import fc from 'fast-check';
import { expect, test } from 'vitest';
import { submittedQuery } from '../../../src/pages/pages.js';
import { amountIn } from '../../../src/pages/shared/amount.js';
import { createFormats } from '../../../src/pages/shared/format.js';

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
  ['1,250', 'ar-EG', '1250'],
])('the amount %s is read in %s as %s', (typed, locale, amount) => {
  expect(amountIn(typed, locale)).toBe(amount);
});

const decimals = fc
  .tuple(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.nat({ max: 6 }))
  .map(([digits, places]) => {
    const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
    const split = text.length - places;
    const fraction = places > 0 ? `.${text.slice(split)}` : '';
    return `${digits < 0n ? '-' : ''}${text.slice(0, split)}${fraction}`;
  });
const locales = fc.constantFrom(...LOCALES);

test('what a language writes is read as it was, in digits of either kind', () => {
  fc.assert(
    fc.property(locales, decimals, fc.constantFrom('latn', 'arab'), (locale, amount, numberingSystem) => {
      const places = amount.split('.')[1]?.length ?? 0;
      const options = { minimumFractionDigits: places, maximumFractionDigits: places, numberingSystem };
      const written = new Intl.NumberFormat(locale, options).format(amount as `${number}`);
      expect(amountIn(written, locale)).toBe(amount);
    }),
  );
});

test('a form leads to an address that says what was typed, and its page shows the same number', () => {
  fc.assert(
    fc.property(locales, locales, decimals, (writer, reader, amount) => {
      const typed = createFormats(writer).decimal(amount);
      const sent = new URLSearchParams({ amount: typed, base: 'EUR', date: '', locale: writer });
      const address = submittedQuery(`/?${sent}`);
      expect(String(address)).toBe(`amount=${amount}&base=EUR`);
      expect(submittedQuery(`/?${address}`)).toBeUndefined();
      const shown = createFormats(reader).decimal(amountIn(address?.get('amount') ?? '') ?? '');
      expect(amountIn(shown, reader)).toBe(amount);
    }),
  );
});

test.each([
  ['1.234', '1.234'],
  ['1,234', '1234'],
  ['1.234,50', '1234.50'],
  ['1,5', '1.5'],
  ['١٢٫٥', '12.5'],
])('the amount %s of an address is %s', (text, amount) => {
  expect(amountIn(text)).toBe(amount);
});

test.each([
  ['amount=1.234&locale=de', 'amount=1234'],
  ['amount=1.234&locale=xx', 'amount=1.234'],
  ['amount=ten&locale=de', 'amount=ten'],
  ['amount=7&base=EUR&quote=USD&locale=en&swap=1', 'amount=7&base=USD&quote=EUR'],
  ['swap=1&quote=USD', 'base=USD'],
])('the form %s leads to the address %s', (sent, address) => {
  expect(String(submittedQuery(`/?${sent}`))).toBe(address);
});
