import { expect, test } from 'vitest';
import { needsKeyError } from '../../../core/domain/provider-status.js';
import { plainError } from '../../../src/pages/provider-facts.js';
import { readerOf } from '../../../src/pages/reader.js';
import { createFormats } from '../../../src/pages/shared/format.js';
import { html } from '../../../src/pages/shared/html.js';
import { searchText } from '../../../src/pages/shared/search-text.js';

test('what is put in is escaped, in text and in attributes', () => {
  const evil = `<script>alert("1")</script> & 'x'`;
  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;';
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('HTML stays as it is, lists are joined, and what is missing leaves nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  const list = html`<ul>${items}</ul>${undefined}${null}${false}${0}`;
  expect(list.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0');
});

test.each([
  [' Türkiye ', 'turkiye'],
  ['CÔTE D’IVOIRE', 'cote d’ivoire'],
  ['مُحدَّث', 'محدث'],
  ['瑞士', '瑞士'],
])('%s is looked for as %s', (text, expected) => {
  expect(searchText(text)).toBe(expected);
});

const UNVERIFIED = 'fetch failed (unable to verify the first certificate)';
test.each([
  [needsKeyError(['TCMB_API_KEY']), 'It requires a key, which this service does not have.'],
  ['HTTP 503 from https://bank.example/?key=abc', 'The source returned a server error.'],
  ['HTTP 403 from https://bank.example/', 'The source refused the request.'],
  ['HTTP 404 from https://bank.example/', 'The source no longer has a page at the address of its rates.'],
  ['the request took longer than 30000 ms', 'The source did not respond in time.'],
  ['getaddrinfo ENOTFOUND bank.example', 'Cannot reach the source.'],
  [UNVERIFIED, 'Cannot connect to the source securely: its certificate is not valid.'],
  ['the column "USD" is missing', 'Cannot read the response of the source as rates.'],
  [null, undefined],
])('the error %s in plain words', (error, words) => {
  expect(plainError(error, readerOf('en-GB').say)).toBe(words);
});

test.each([
  [undefined, 'en-GB'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de-CH'],
  ['*', 'en-GB'],
  ['xx-not-a-language-at-all-really, fr;q=0.5', 'fr'],
  ['"><script>', 'en-GB'],
])('of %s the locale %s is taken', (header, locale) => {
  expect(readerOf(header).locale).toBe(locale);
});

const english = createFormats('en-GB');
const german = createFormats('de-DE');

test.each([
  [5123.4, '5,123'],
  [158.456, '158.46'],
  [1.1, '1.1000'],
  [0.000012345, '0.000012345'],
])('figures: a rate of %d', (rate, text) => {
  expect(english.rate(rate)).toBe(text);
});

test('figures: decimals keep all of their digits', () => {
  expect(german.decimal('12345678901234567890.10')).toBe('12.345.678.901.234.567.890,10');
  expect(english.decimal('1e-9')).toBe('0.000000001');
});

test('figures: shares and changes', () => {
  expect([0.000123, 0.25].map(english.percent)).toEqual(['0.012%', '25%']);
  expect([0.0123, -0.0004, 0].map(english.change)).toEqual(['+1.23%', '−0.04%', '0.00%']);
});

test('figures: how long ago, countries and currencies, in the language of the locale', () => {
  expect([0, 1, 3].map(english.daysAgo)).toEqual(['today', 'yesterday', '3 days ago']);
  expect(german.daysAgo(222)).toBe('vor 222 Tagen');
  const [minute, hour] = [60_000, 3_600_000];
  const away = [-5 * minute, 59.6 * minute, -47 * hour, -48 * hour].map(english.away);
  expect(away).toEqual(['5 minutes ago', 'in 1 hour', '47 hours ago', '2 days ago']);
  expect([english, german].map((one) => one.country('CH'))).toEqual(['Switzerland', 'Schweiz']);
  expect([english, german].map((one) => one.currency('CHF'))).toEqual(['Swiss Franc', 'Schweizer Franken']);
  expect(english.currency('ZZZ')).toBeUndefined();
});

test('figures: dates are days, whatever the time zone of the machine', () => {
  expect(english.date('2026-03-01')).toBe('1\u00a0March\u00a02026');
  expect(german.date('2026-03-01')).toBe('1.\u00a0März\u00a02026');
  expect(english.instant('2026-03-01T14:00:00.000Z')).toMatch(/^1\u00a0Mar,\u00a014:00 UTC$/);
});
