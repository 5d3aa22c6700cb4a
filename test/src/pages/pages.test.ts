import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { projectFolder } from '../../../core/process/project-files.js';
import type { SnapshotHolder } from '../../../src/rates/snapshot/snapshot-holder.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';

const NOW = new Date('2026-03-20T17:00:00Z');
const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const PAGES = ['/', '/status', '/currency/USD', '/provider/ECB', '/rules', '/docs', '/docs/plain'];

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, someRates());
  await database.prisma.provider.update({ where: { key: 'IMF' }, data: { lastError: 'HTTP 503 <secret>' } });
  await database.prisma.provider.updateMany({ data: { lastAttemptAt: NOW } });
  await database.prisma.readingPlan.create({
    data: { sources: providers.map(({ key }) => key).join(), since: NOW, seenAt: NOW },
  });
  api = await startApi(database, { clock: () => NOW });
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

const get = (path: string, headers: Record<string, string> = HTML, method = 'GET') =>
  fetch(`${api.url}${path}`, { headers, method });
const textOf = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();

/** A response as it comes over the network: fetch would decode it. */
function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = httpRequest(`${api.url}${path}`, { headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.on('error', reject).end();
  });
}

describe.each(PAGES)('%s', (path) => {
  it('is a page with a strict policy, which asks for own resources only', async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    if (path !== '/docs') expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
    expect(response.headers.get('set-cookie')).toBeNull();
    const page = await response.text();
    expect(page).not.toMatch(/<style|<script(?![^>]*src="\/assets\/)|\son\w+=|\sstyle=|<iframe|@import/);
    for (const [, url] of page.matchAll(
      /<(?:link rel="(?:icon|stylesheet|modulepreload)"|script|img)[^>]*(?:href|src)="([^"]+)"/g,
    )) {
      expect(url).toMatch(/^\/assets\//);
      expect((await get(url ?? '')).status).toBe(200);
    }
  });

  it('is revalidated, and answers HEAD', async () => {
    const first = await get(path);
    await first.text();
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    expect(first.headers.get('vary')).toContain('accept-language');
    const etag = first.headers.get('etag') ?? '';
    const again = await get(path, { ...HTML, 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const head = await get(path, HTML, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers.get('etag')).toBe(etag);
    expect(await head.text()).toBe('');
  });
});

describe('GET /', () => {
  it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'])(
    'is the index for who accepts %s',
    async (accept) => {
      const { headers, body } = await raw('/', accept === undefined ? {} : { accept });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers.vary).toContain('accept');
      expect(JSON.parse(body.toString())).toMatchObject({ name: 'Almanac' });
    },
  );

  it('has parameters only as a page', async () => {
    expect((await get('/?base=CHF', { accept: 'application/json' })).status).toBe(422);
    expect(await textOf('/?base=CHF&quote=JPY&amount=20')).toMatch(/20 CHF =<\/span> <strong>[\d,]+ JPY/);
  });

  it('shows the conversion, the newest rates with their change, and the requests', async () => {
    const page = await textOf('/');
    expect(page).toContain('100 EUR =</span> <strong>');
    expect(page).toContain('observed 21 March 2026');
    expect(page).toMatch(/<a href="\/currency\/JPY">JPY<\/a>.*?<td class="number (up|down|same)">[+-]?\d/s);
    expect(page).toContain(`${api.url}/v2/convert/EUR/USD?amount=100`);
    expect(page).toContain('WEBSERVICE(&quot;');
    expect(page).toContain('<svg class="line-chart"');
  });

  it('writes figures in the language of the reader', async () => {
    const page = await textOf('/?amount=1234.5', { ...HTML, 'accept-language': 'de-DE' });
    expect(page).toContain('<html lang="de-DE" dir="ltr">');
    expect(page).toContain('1.234,5 EUR');
    expect(page).toContain('21. März 2026');
  });

  it('says of the newest rates everything in the language of the reader', async () => {
    const page = await textOf('/', { ...HTML, 'accept-language': 'de' });
    const section = page.slice(page.indexOf('id="newest-title"'));
    for (const text of ['Für einen EUR', 'Änderung seit dem Tag davor', '<small>Japanischer Yen</small>'])
      expect(section).toContain(text);
    expect(section).not.toMatch(/Currency|Change|Month|Date<|more currencies|Japanese/);
  });

  it('opens the answer to a built request without script', async () => {
    const page = await textOf('/');
    expect(page).toContain('<form class="builder" action="/request" method="get"');
    const form =
      'base=CHF&range=between&date=2026-03-20&from=2026-03-02&to=2026-03-04&group=&format=csv&quotes=USD&quotes=JPY';
    const built = await fetch(`${api.url}/request?${form}`, { headers: HTML, redirect: 'manual' });
    expect(built.status).toBe(303);
    const target = '/v2/rates.csv?base=CHF&quotes=USD,JPY&from=2026-03-02&to=2026-03-04';
    expect(built.headers.get('location')).toBe(target);
    expect(await textOf(target)).toMatch(/^date,base,quote,rate\n2026-03-02,CHF,JPY,/);
  });

  it('says what is wrong with an amount or a date, and is not cached then', async () => {
    for (const [query, message] of [
      ['amount=%3Cb%3E', '“&lt;b&gt;” is not a number.'],
      ['date=2026-02-30', 'must be YYYY-MM-DD'],
    ]) {
      const response = await get(`/?${query}`);
      expect(response.status).toBe(422);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const page = await response.text();
      expect(page).toContain(message);
      expect(page).not.toContain('<b>');
    }
  });

  it.each([
    [
      'base=BTC&quote=ZZZ',
      'There is no currency “BTC” here. There is no currency “ZZZ” here. Did you mean BTN? Below is EUR to USD.',
    ],
    ['base=usd&quote=EUU', 'There is no currency “EUU” here. Did you mean EUR? Below is USD to EUR.'],
  ])('says of %s that there is no such currency', async (query, said) => {
    const response = await get(`/?${query}`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(said);
  });

  it('names the host that was asked, and no other that was asked before', async () => {
    for (const host of ['one.example', 'two.example', 'one.example']) {
      const { body } = await raw('/', { ...HTML, host });
      expect(body.toString().match(/\b\w+\.example/g)).toContain(host);
      expect(new Set(body.toString().match(/\b(one|two)\.example/g))).toEqual(new Set([host]));
    }
  });

  it('writes nothing of the host that a reader claims but a plain one', async () => {
    const { body } = await raw('/', { ...HTML, host: 'evil"><script>' });
    expect(body.toString()).not.toContain('evil');
  });
});

describe('GET /status', () => {
  it('has a line for every provider, and its error in plain words', async () => {
    const page = await textOf('/status?state=all');
    expect(page.match(/<tr data-state=/g)?.length).toBe(providers.length);
    expect(page).toContain('The source answered with an error of its own.');
    expect(page).not.toContain('secret');
    expect(page).toMatch(/Rates on 6\d of the last 90 days/);
    expect(page).toContain('npm run --silent cli -- doctor</code>');
  });

  const linesOf = async (query: string) => [
    ...(await textOf(`/status?${query}`)).matchAll(/<tr data-state="(\w+)"[^>]*>.*?<\/tr>/gs),
  ];
  const shown = async (query: string) =>
    (await linesOf(query)).filter(([line]) => !/^[^>]* hidden>/.test(line));

  it('shows what needs attention, and by its address what else is asked for', async () => {
    expect(new Set((await shown('')).map(([, state]) => state))).toEqual(new Set(['failing', 'late']));
    expect((await shown('state=failing')).map(([, state]) => state)).toEqual(['failing']);
    expect(await shown('state=all')).toHaveLength(providers.length);
    expect(await shown('q=canada')).toHaveLength(1);
    expect(await shown('state=nothing&sort=nothing&order=nothing')).toEqual(await shown(''));
    const blended = await shown('state=all&blended=yes');
    const others = await shown('state=all&blended=no');
    expect(blended.length + others.length).toBe(providers.length);
    expect(others.map(([line]) => line).join()).toContain('/provider/HMRC');
    expect(await textOf('/status?q=canada')).toContain('<p class="empty" data-none hidden>');
    expect(await textOf('/status?q=nobody')).toContain('<p class="empty" data-none>No source matches.');
  });

  it('sorts by its address, in either order, what has no key last', async () => {
    const keys = async (query: string) =>
      (await shown(`state=all&${query}`)).map(([line]) => /\/provider\/(\w+)/.exec(line)?.[1]);
    const known = providers.map(({ key }) => key);
    expect(await keys('sort=name')).toEqual(known);
    expect(await keys('sort=name&order=descending')).toEqual(known.toReversed());
    for (const order of ['ascending', 'descending']) {
      const sorted = (await shown(`state=all&sort=newest&order=${order}`)).map(([line]) => line);
      expect(sorted.at(0)).toMatch(/data-label="Newest">\d/);
      expect(sorted.at(-1)).toContain('data-label="Newest">–');
    }
    const page = await textOf('/status?sort=newest&order=descending&blended=yes');
    expect(page).toContain(
      'aria-sort="descending"><a href="/status?blended=yes&amp;sort=newest&amp;order=ascending"',
    );
    expect(page).toContain('Sources by “Newest”, descending</caption>');
  });

  it('escapes what is looked for', async () => {
    expect(await textOf('/status?q=%22%3E%3Cscript%3E')).toContain('value="&quot;&gt;&lt;script&gt;"');
  });
});

describe('the pages of currencies and providers', () => {
  it('tell what a currency is, its peg and who publishes it', async () => {
    const page = await textOf('/currency/usd');
    expect(page).toContain('US Dollar');
    expect(page).toContain('<a href="/provider/ECB">ECB</a>');
    expect(await textOf('/currency/AED')).toContain(
      'Held at 3.6725 AED for one USD by Central Bank of the UAE.',
    );
  });

  it('tell what a provider is, with the link to its terms and its own rates', async () => {
    const page = await textOf('/provider/ecb');
    expect(page).toContain('European Central Bank');
    expect(page).toContain('its terms of use');
    expect(page).toContain('<a href="https://www.ecb.europa.eu" rel="noreferrer">www.ecb.europa.eu</a>');
    expect(page).toContain('Its newest rates');
    // One without any rates yet.
    expect(await textOf('/provider/BAM')).toContain('Nothing has arrived yet.');
  });

  it.each([
    [
      'BDL',
      'disclaimer.php" rel="noreferrer">its terms of use</a>: they restrict reproduction or commercial use',
    ],
    ['CBBH', '<dd>its terms of use: they restrict reproduction or commercial use'],
    ['ECB', 'index.en.html" rel="noreferrer">its terms of use</a>'],
    ['BAM', '<dd>publishes no terms'],
  ])('tell what the terms of %s are known to restrict', async (key, told) => {
    expect(await textOf(`/provider/${key}`)).toContain(`${told}</dd>`);
  });

  it.each([
    ['/currency/USE', '<a href="/currency/USD">'],
    ['/currency/dollar', '<a href="/currency/USD">'],
    ['/provider/ECC', '<a href="/provider/ECB">'],
    ['/provider/canada', '<a href="/provider/BOC">'],
    ['/provider/%3Cscript%3E', undefined],
  ])('%s is a page of 404 with what may be meant, and where to look', async (path, meant) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).toMatch(/<h1>There is no (currency|source) “/);
    const suggested = /<h2>Did you mean<\/h2>.*?<\/section>/s.exec(page)?.[0];
    if (meant === undefined) expect(suggested).toBeUndefined();
    else expect(suggested).toContain(meant);
    expect(page).not.toContain('<script>');
  });
});

describe('GET /docs/plain', () => {
  it('names every route without script', async () => {
    const page = await textOf('/docs/plain');
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> };
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) expect(page).toContain(`${method.toUpperCase()} ${path}`);
    }
    expect(page).not.toContain('<script');
    expect(page).toMatch(/POST \/v2\/convert.*?Example of a body.*?Example of a response/s);
  });
});

describe('assets', () => {
  it('have a hash in their names, may be kept for ever, and are compressed ahead', async () => {
    const [path = ''] = (await textOf('/')).match(/\/assets\/style-\w+\.css/) ?? [];
    const plain = await raw(path, {});
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toBe('text/css; charset=utf-8');
    const br = await raw(path, { 'accept-encoding': 'br' });
    const gzip = await raw(path, { 'accept-encoding': 'gzip' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(br.headers.etag).not.toBe(gzip.headers.etag);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(br.body.equals(await readFile(join(projectFolder, 'dist', `${path}.br`)))).toBe(true);
    expect((await get(path, { 'if-none-match': String(plain.headers.etag) })).status).toBe(304);
  });

  it.each(['/assets/nothing.js', '/assets/../package.json', '/assets/manifest.json'])(
    '%s is not there',
    async (path) => {
      expect((await raw(path, HTML)).body.toString()).toContain('There is no page “');
    },
  );
});

describe('without rates', () => {
  it('the home page says that they are being loaded', async () => {
    const empty = await testDatabase();
    const starting = await startApi(empty, {
      clock: () => NOW,
      parts: {
        snapshot: {
          current: () => undefined,
          close: async () => {},
          catchUp: async () => {},
        } as unknown as SnapshotHolder,
      },
    });
    try {
      const response = await fetch(starting.url, { headers: HTML });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await response.text()).toContain('the first rates are being loaded');
    } finally {
      await starting.close();
      await empty.close();
    }
  });
});
