import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRates } from '../../../worker/import/import.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  async function* csv() {
    yield 'provider,date,base,quote,rate\nECB,2026-03-19,EUR,USD,1.15\nECB,2026-03-20,EUR,USD,1.1563\nECB,2026-03-20,EUR,CHF,0.91\n';
  }
  await importRates(database, csv(), { today: '2026-03-20' });
  api = await startApi(database, {
    clock: () => new Date('2026-03-20T17:30:00Z'),
    variables: { TRUST_PROXY: 'loopback' },
  });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function read(path: string): Promise<string> {
  const response = await fetch(api.url + path, { headers: { accept: 'text/html' } });
  return response.text();
}

const contentOf = (page: string, property: string) =>
  new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(page)?.[1];

describe('what others show of a page', () => {
  test.each(['/', '/status', '/currency/CHF', '/provider/ECB', '/docs', '/docs/plain'])(
    '%s has a title, a description and a picture',
    async (path) => {
      const page = await read(path);
      const title = /<title>(.*?)<\/title>/.exec(page)?.[1];
      expect(title).toMatch(/Almanac/);
      expect(contentOf(page, 'og:title')).toBe(title);
      expect(contentOf(page, 'description')).toBe(contentOf(page, 'og:description'));
      expect(contentOf(page, 'og:url')).toBe(api.url + path);
      expect(page).toContain(`<link rel="canonical" href="${api.url}${path}">`);
      const picture = await fetch(contentOf(page, 'og:image') ?? '');
      expect(picture.headers.get('content-type')).toBe('image/png');
      const bytes = Buffer.from(await picture.arrayBuffer());
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    },
  );

  test('a pair is called by its rate, whatever else the address says', async () => {
    const page = await read('/?base=EUR&quote=USD&amount=7&span=1y');
    expect(contentOf(page, 'og:title')).toBe('EUR to USD 1.1563 · Almanac');
    expect(contentOf(page, 'description')).toBe(
      'One EUR was 1.1563 USD on 20 March 2026, blended from official sources.',
    );
    expect(page).toContain(`<link rel="canonical" href="${api.url}/?base=EUR&amp;quote=USD">`);
  });

  test.each(['/', '/status', '/currency/CHF'])(
    '%s is at https behind a proxy that ends TLS',
    async (path) => {
      const headers = { accept: 'text/html', 'x-forwarded-proto': 'https' };
      const page = await (await fetch(api.url + path, { headers })).text();
      expect(contentOf(page, 'og:url')).toBe(api.url.replace('http:', 'https:') + path);
    },
  );

  test('the frame leads to the feed, the source and the health of the service', async () => {
    const page = await read('/');
    const links = [...page.slice(page.indexOf('<footer')).matchAll(/href="([^"]*)"/g)].map(
      ([, href]) => href,
    );
    expect(links).toEqual(expect.arrayContaining(['/corrections.atom', '/health/ready', '/openapi.json']));
    for (const link of links.filter((href) => href?.startsWith('/')))
      expect([link, (await fetch(api.url + link)).status]).toEqual([link, 200]);
  });
});

test('there is an icon where programs look for one', async () => {
  const response = await fetch(`${api.url}/favicon.ico`);
  expect(response.headers.get('content-type')).toBe('image/x-icon');
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  expect([...Buffer.from(await response.arrayBuffer()).subarray(0, 4)]).toEqual([0, 0, 1, 0]);
});

test('search engines read pages and leave the API alone', async () => {
  const response = await fetch(`${api.url}/robots.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const rules = (await response.text()).split('\n');
  expect(rules).toContain('Disallow: /v2/');
  expect(rules).not.toContain('Disallow: /');
});
