import { expect, test } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { pagesOver } from './support.js';

const QUOTES = ['USD 1.15', 'CHF 0.92', 'GBP 0.87', 'JPY 180'];
const RATES = [...QUOTES.map((quote) => `ECB 2026-03-20 EUR/${quote}`), 'BBK 1998-12-30 USD/DEM 1.67'];
const pages = pagesOver(RATES, '2026-03-20T17:30:00Z');

/** The keys of the lines that can be seen. */
const shown = (page: string) =>
  [...page.matchAll(/<tr data-text="[^"]*">.*?<a href="[^"]*">([A-Z]+)<\/a>/g)].map(([, key]) => key);

test('lists have every currency, those of the past at the end', async () => {
  const { text } = await pages.get('/currencies');
  // Those with a fixed rate to one of them too.
  const keys = shown(text);
  expect(keys).toEqual(expect.arrayContaining(['CHF', 'EUR', 'GBP', 'JPY', 'USD', 'XOF']));
  expect(keys.at(-1)).toBe('DEM');
  expect(text).toMatch(/In use: \d+\. No longer in use: 2, at/);
});

test.each([
  ['/currencies?q=schweiz', 'de', ['CHF']],
  ['/currencies?q=Japon', 'fr', ['JPY']],
  ['/currencies?q=osterreich', 'de', ['EUR']],
  ['/currencies?q=zzz', 'en', []],
  ['/providers?q=norges', 'en', ['NB']],
  ['/providers?q=Tschechien', 'de', ['CNB']],
])('lists: %s finds in %s: %s', async (path, language, keys) => {
  expect(shown((await pages.get(path, language)).text)).toEqual(keys);
});

test('lists have every source', async () => {
  expect(shown(await pages.textOf('/providers'))).toHaveLength(providers.length);
});

test('the page of a currency has a title with the rate, a converter and the major currencies before the banks', async () => {
  const { text } = await pages.get('/currency/chf');
  expect(text).toContain('<title>Swiss Franc (CHF): 1 USD = 0.80000 CHF · Almanac</title>');
  // As the chart says, which is of the opposite direction.
  expect(text).toContain('<strong>0.80000</strong>');
  expect(text).toMatch(/<link rel="canonical" href="[^"]*\/currency\/CHF">/);
  expect(text).toMatch(/name="amount".*Against the major currencies.*Who publishes it/s);
});

test('the page of a currency says until when it was in use, and what it became', async () => {
  const text = await pages.textOf('/currency/DEM');
  expect(text).toContain('Not in use since 1 January 2002. 1.95583 DEM became 1 EUR.');
});

test.each([
  ['/nope', 'There is no page “/nope”'],
  ['/v2/nope', 'There is no page “/v2/nope”'],
  ['/currency/ZZZ', 'There is no currency “ZZZ”'],
  ['/provider/ZZZ', 'There is no source “ZZZ”'],
])('where there is nothing: %s is a page for people', async (path, heading) => {
  const { status, headers, text } = await pages.get(path);
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(text).toContain(`<h1>${heading}`);
  expect(text).toContain('formaction="/providers"');
});

test.each([
  ['/usd', '/currency/USD'],
  ['/rates/CHF', '/currency/CHF'],
  ['/ecb', '/provider/ECB'],
  ['/currency/CHG', '/currency/CHF'],
  ['/currency/dollar', '/currency/USD'],
  ['/provider/ECBB', '/provider/ECB'],
  ['/provider/canada', '/provider/BOC'],
])('where there is nothing: %s leads to %s', async (path, href) => {
  const suggested = /<h2>Did you mean<\/h2>.*?<\/section>/s.exec(await pages.textOf(path))?.[0];
  expect(suggested).toContain(`<li><a href="${href}">`);
});

test.each([
  ['/rates', '/'],
  ['/provider', '/providers'],
  ['/currency', '/currencies'],
  ['/docs/plain', '/docs'],
])('where there is nothing: %s sends people to %s', async (path, location) => {
  const { status, headers } = await pages.get(path);
  expect([status, headers.get('location')]).toEqual([308, location]);
});

test.each(['/nope', '/rates', '/provider'])('for programs, %s is JSON', async (path) => {
  const nothing = { success: false, status: 404, message: expect.stringMatching(/^nothing at/) };
  for (const accept of ['*/*', 'application/json']) {
    const response = await fetch(pages.url + path, { headers: { accept } });
    expect([response.status, await response.json()]).toEqual([404, nothing]);
  }
});

test('where there is nothing, the words are of the reader, and what was asked for is no markup', async () => {
  expect(await pages.textOf('/nope', 'de')).toContain('Die Seite „/nope“ gibt es nicht');
  expect(await pages.textOf('/%3Cb%3E')).not.toContain('<b>');
  const script = await pages.textOf('/provider/%3Cscript%3E');
  expect(script).not.toMatch(/<script>|Did you mean/);
});
