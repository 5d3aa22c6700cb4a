import { expect, test } from 'vitest';
import { languages } from '../../../src/pages/reader.js';
import { createFormats } from '../../../src/pages/shared/format.js';
import { FEW_RATES, PAGES, pageAt, pagesOver } from './support.js';

const NOW = '2026-03-20T17:30:00Z';
const pages = pagesOver(FEW_RATES, NOW);

const decoded = (text: string) => text.replaceAll('&amp;', '&');

/** The links to the same page in other languages, by language. */
function switchOf(page: string): Record<string, string> {
  const links = page.matchAll(/<a href="([^"]*)" lang="(\w+)" hreflang="\2"/g);
  return Object.fromEntries([...links].map(([, href = '', language]) => [language, decoded(href)]));
}

test.each([...PAGES, '/nope', '/currency/ZZZ'])('%s links to itself in every language', async (path) => {
  const links = switchOf(await pages.textOf(path));
  expect(Object.keys(links)).toEqual([...languages.keys()]);
  for (const [language, href] of Object.entries(links)) {
    const text = await pages.textOf(path + href);
    expect(text).toContain(`<html lang="${language === 'en' ? 'en-GB' : language}"`);
    expect(text).toMatch(new RegExp(`hreflang="${language}" aria-current="true"`));
  }
});

test.each(PAGES)('in a chosen language, %s leads to pages in that language', async (path) => {
  const text = await pages.textOf(`${path}?lang=de`);
  const hrefs = [...text.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)].map(([, href = '']) => decoded(href));
  const [others, own] = [/^\/(v2|openapi|health)/, /[?&]lang=de$/];
  for (const href of hrefs) expect(href).toMatch(others.test(href) ? /^(?!.*lang=)/ : own);
  expect(hrefs.filter((href) => own.test(href)).length).toBeGreaterThan(5);
  for (const [form] of text.matchAll(/<form [^>]*>(<input type="hidden" name="lang" value="de">)?/g))
    expect(form).toMatch(form.includes('action="/request"') ? /^<form [^>]*>$/ : /value="de">$/);
});

test('the rest of the address stays, and nothing in it is markup', async () => {
  const query = 'amount=7&base=CHF&quote=EUR&span=1y';
  const { de } = switchOf(await pages.textOf(`/?${query}&lang=fr`));
  expect(de).toBe(`?${query}&lang=de`);
  expect(await pages.textOf('/currencies?q=%22%3E%3Cb%3E')).not.toContain('<b>');
});

const READERS = ['en-GB', 'de-DE', 'fr-CH', 'es', 'ar-EG', 'zh'];

test.each([
  ['/?amount=1.234', '1.234'],
  ['/?amount=1,234', '1234'],
  ['/rules?amount=1.234', '1.234'],
])('%s is the amount %s for every reader', async (path, amount) => {
  for (const language of READERS) {
    const text = await pages.textOf(path, language);
    const [, field] = /name="amount"[^>]*value="([^"]*)"/.exec(text) ?? [];
    expect([language, field]).toEqual([language, createFormats(language).decimal(amount)]);
    expect(switchOf(text).fr).toBe(`${new URL(path, pages.url).search.replace(',', '%2C')}&lang=fr`);
  }
});

test.each(READERS)('a form sent without script in %s leads to the number typed', async (language) => {
  for (const path of ['/', '/rules']) {
    const [, locale = ''] = /name="locale" value="([^"]*)"/.exec(await pages.textOf(path, language)) ?? [];
    const amount = createFormats(language).decimal('1234.5');
    const { status, headers } = await pages.get(
      `${path}?${new URLSearchParams({ amount, locale })}`,
      'en-GB',
    );
    expect([status, headers.get('location')]).toEqual([303, '?amount=1234.5']);
  }
});

test.each([
  ['de', 'de-AT, fr', 'de-AT'],
  ['de', 'fr', 'de'],
  ['en', 'de', 'en-GB'],
  ['en', 'de, en-US;q=0.5', 'en-US'],
  ['xx', 'fr', 'fr'],
  ['de-%3Cscript%3E', 'fr', 'en-GB'],
])('lang=%s for a browser in %s is the locale %s', async (language, accepted, locale) => {
  expect(await pages.textOf(`/docs?lang=${language}`, accepted)).toContain(`<html lang="${locale}"`);
});

test('pages set no cookie, and tell caches that they depend on the language of the browser', async () => {
  const { headers } = await pages.get('/?lang=de');
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('vary')).toContain('accept-language');
});

test.each([...PAGES, '/nope'])('%s has digits of one kind in Arabic', async (path) => {
  expect((await pages.textOf(path, 'ar-EG')).match(/.{0,20}[٠-٩].{0,20}/)?.[0]).toBeUndefined();
});

const GERMAN = { 'accept-language': 'de' };

test.each([
  ['/?date=2026-02-30', 422, 'Das Datum muss die Form JJJJ-MM-TT haben. „2026-02-30“ ist kein Datum.'],
  ['/?date=1980-01-01', 404, 'Für EUR/USD gibt es am 1. Januar 1980 keinen Kurs. Der erste Kurs ist vom'],
  [`/?amount=${'9'.repeat(31)}`, 422, 'Geben Sie eine Zahl mit höchstens 30 Ziffern ein.'],
  ['/?amount=%3Cb%3E', 422, '„&lt;b&gt;“ ist keine Zahl.'],
  ['/?base=BTC&quote=ZZZ', 404, 'Die Währung „BTC“ gibt es hier nicht.'],
  ['/?amount=1&amount=2', 400, 'Die Adresse enthält „amount“ mehr als einmal.'],
  ['/status?q=1&q=2', 400, 'Die Adresse enthält „q“ mehr als einmal.'],
  ['/rules?date=2026-02-30', 422, '„2026-02-30“ ist kein Datum.'],
  ['/currency/%ZZ', 400, 'Die Adresse enthält einen ungültigen Wert'],
  ['/nope', 404, 'Die Seite „/nope“ gibt es nicht'],
])('the error of %s is in the language of the page', async (path, status, text) => {
  const page = await pageAt(pages.url + path, GERMAN);
  expect([page.status, page.headers.get('cache-control')]).toEqual([status, 'no-store']);
  expect(page.text).toContain(text);
});

test('programs get the errors of pages as JSON', async () => {
  const { headers, text } = await pageAt(`${pages.url}/status?q=1&q=2`, { ...GERMAN, accept: '*/*' });
  expect(headers.get('content-type')).toContain('application/json');
  expect(JSON.parse(text)).toMatchObject({
    success: false,
    status: 400,
    message: 'q is given more than once',
  });
});

const limited = pagesOver(FEW_RATES, NOW, { RATE_LIMITS: 'currency=3' });

test('a browser over the limit gets a page that says when to try again', async () => {
  let page = await limited.get('/docs', 'de');
  for (let count = 0; page.status === 200 && count < 4; count++) page = await limited.get('/docs', 'de');
  expect(page.status).toBe(429);
  expect(page.text).toMatch(
    /<h1>Zu viele Anfragen<\/h1>\s*<p class="lead">Versuchen Sie es in \d+ Sekunden? erneut\./,
  );
  expect(page.text).toContain('Erlaubt sind 3 pro Minute.');
});
