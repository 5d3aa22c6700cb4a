import { describe, expect, test } from 'vitest';
import { readerOf } from '../../../src/pages/reader.js';
import { createFormats } from '../../../src/pages/shared/format.js';

test.each([
  [undefined, 'en-GB'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de-CH'],
  ['*', 'en-GB'],
  ['xx-not-a-language-at-all-really, fr;q=0.5', 'fr'],
  ['"><script>', 'en-GB'],
])('of %s the locale %s is taken', (header, locale) => {
  expect(readerOf(header).locale).toBe(locale);
});

describe('figures', () => {
  const english = createFormats('en-GB');
  const german = createFormats('de-DE');

  test.each([
    [5123.4, '5,123'],
    [158.456, '158.46'],
    [1.1, '1.1000'],
    [0.000012345, '0.000012345'],
  ])('a rate of %d', (rate, text) => {
    expect(english.rate(rate)).toBe(text);
  });

  test('decimals keep all of their digits', () => {
    expect(german.decimal('12345678901234567890.10')).toBe('12.345.678.901.234.567.890,10');
    expect(english.decimal('1e-9')).toBe('0.000000001');
  });

  test('shares and changes', () => {
    expect([0.000123, 0.25].map(english.percent)).toEqual(['0.012%', '25%']);
    expect([0.0123, -0.0004, 0].map(english.change)).toEqual(['+1.23%', '-0.04%', '0.00%']);
  });

  test('how long ago, countries and currencies, in the language of the locale', () => {
    expect(english.daysAgo(1)).toBe('1 day ago');
    expect(german.daysAgo(222)).toBe('vor 222 Tagen');
    expect([english, german].map((one) => one.country('CH'))).toEqual(['Switzerland', 'Schweiz']);
    expect([english, german].map((one) => one.currency('CHF'))).toEqual(['Swiss Franc', 'Schweizer Franken']);
    expect(english.currency('ZZZ')).toBeUndefined();
  });

  test('dates are days, whatever the time zone of the machine', () => {
    expect(english.date('2026-03-01')).toBe('1 March 2026');
    expect(german.date('2026-03-01')).toBe('1. März 2026');
    expect(english.instant('2026-03-01T14:00:00.000Z')).toMatch(/^1 Mar, 14:00 UTC$/);
  });
});
