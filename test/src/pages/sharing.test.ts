import { expect, test } from 'vitest';
import { FEW_RATES, PAGES, pageAt, pagesOver } from './support.js';

const pages = pagesOver(FEW_RATES, '2026-03-20T17:30:00Z', { TRUST_PROXY: 'loopback' });

const contentOf = (page: string, property: string) =>
  new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(page)?.[1];

test.each(PAGES)('what others show of a page: %s has a title, a description and a picture', async (path) => {
  const page = await pages.textOf(path);
  const title = /<title>(.*?)<\/title>/.exec(page)?.[1];
  expect(title).toMatch(/Almanac/);
  expect(contentOf(page, 'og:title')).toBe(title);
  expect(contentOf(page, 'description')).toBe(contentOf(page, 'og:description'));
  expect(contentOf(page, 'og:url')).toBe(pages.url + path);
  expect(page).toContain(`<link rel="canonical" href="${pages.url}${path}">`);
  const picture = await fetch(contentOf(page, 'og:image') ?? '');
  expect(picture.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
});

test('what others show of a page: a pair is called by its rate, whatever else the address says', async () => {
  const page = await pages.textOf('/?base=EUR&quote=USD&amount=7&span=1y');
  expect(contentOf(page, 'og:title')).toBe('EUR to USD 1.1563 · Almanac');
  const said = 'One EUR was 1.1563 USD on 20 March 2026, blended from official sources.';
  expect(contentOf(page, 'description')).toBe(said);
  expect(page).toContain(`<link rel="canonical" href="${pages.url}/?base=EUR&amp;quote=USD">`);
});

test.each(PAGES)('%s is at https behind a proxy that ends TLS', async (path) => {
  const { text } = await pageAt(pages.url + path, { 'x-forwarded-proto': 'https' });
  expect(contentOf(text, 'og:url')).toBe(pages.url.replace('http:', 'https:') + path);
});

test('what others show of a page: the frame leads to the source and the health of the service', async () => {
  const page = await pages.textOf('/');
  const found = page.slice(page.indexOf('<footer')).matchAll(/href="(\/[^"]*)"/g);
  const links = [...found].map(([, href]) => href);
  expect(links).toEqual(expect.arrayContaining(['/health/ready', '/openapi.json']));
  for (const link of links) expect([link, (await fetch(pages.url + link)).status]).toEqual([link, 200]);
});

test('there is an icon where programs look for one', async () => {
  const response = await fetch(`${pages.url}/favicon.ico`);
  expect(response.headers.get('content-type')).toBe('image/x-icon');
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  expect([...Buffer.from(await response.arrayBuffer()).subarray(0, 4)]).toEqual([0, 0, 1, 0]);
});

test('search engines read pages and leave the API alone', async () => {
  const response = await fetch(`${pages.url}/robots.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const rules = (await response.text()).split('\n');
  expect(rules).toContain('Disallow: /v2/');
  expect(rules).not.toContain('Disallow: /');
});
