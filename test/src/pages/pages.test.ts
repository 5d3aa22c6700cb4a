import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { startApi } from '../../support/api.js';
import { testDatabase } from '../../support/postgres.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { ask } from '../http/support.js';
import { ownApi } from '../own-api.js';
import { BROWSER, pageAt } from './support.js';

const NOW = new Date('2026-03-20T17:00:00Z');
const HTML = { accept: BROWSER };

const clock = () => NOW;
const opened = async () => {
  const database = await databaseWith(someRates());
  await database.prisma.provider.update({ where: { key: 'IMF' }, data: { lastError: 'HTTP 503 <secret>' } });
  await database.prisma.provider.create({ data: { key: 'TCMB', lastError: 'needs_key: TCMB_API_KEY' } });
  await database.prisma.provider.updateMany({ data: { lastAttemptAt: NOW } });
  const [from, startedAt] = [new Date('2026-03-20'), new Date('2026-03-20T16:30:00Z')];
  const failed = { providerKey: 'IMF', reason: 'schedule', from, startedAt, outcome: 'failed' } as const;
  await database.prisma.ingestRun.create({ data: failed });
  const sources = providers.map(({ key }) => key).join();
  await database.prisma.readingPlan.create({ data: { sources, since: NOW, seenAt: NOW } });
  return database;
};
const own = ownApi(opened, { clock });

const get = (path: string, headers?: Record<string, string>) => pageAt(own.api.url + path, headers);
const textOf = async (path: string, language = 'en-GB') =>
  (await get(path, { 'accept-language': language })).text;

/** A response as it comes over the network: fetch would decode it. */
const raw = (path: string, headers: Record<string, string>) => ask(own.api.url + path, { headers });

describe.each(['/', '/status', '/currency/USD', '/provider/ECB', '/rules', '/docs'])('%s', (path) => {
  it('is a page with a strict policy, which asks for own resources only', async () => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self';"),
      'referrer-policy': 'same-origin',
    });
    if (path !== '/docs') expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('set-cookie')).toBeNull();
    expect(text).not.toMatch(/<style|<script(?![^>]*src="\/assets\/)|\son\w+=|\sstyle=|<iframe|@import/);
    const resource =
      /<(?:link rel="(?:icon|stylesheet|modulepreload)"|script|img)[^>]*(?:href|src)="([^"]+)"/g;
    for (const [, url = ''] of text.matchAll(resource)) {
      expect(url).toMatch(/^\/assets\//);
      expect((await get(url)).status).toBe(200);
    }
  });

  it('is revalidated, and answers HEAD', async () => {
    const { headers } = await get(path);
    expect(headers.get('cache-control')).toBe('public, no-cache');
    expect(headers.get('vary')).toContain('accept-language');
    const etag = headers.get('etag') ?? '';
    expect(await get(path, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    const reader = { ...HTML, 'accept-language': 'en-GB' };
    const head = await fetch(own.api.url + path, { headers: reader, method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });
});

const RESTRICTED = 'restricted: <span lang="en" dir="ltr">reproduction or commercial use</span></dd>';

it.each<[path: string, language: string, ...said: string[]]>([
  ['/', 'en-GB', '100 EUR =</span> <strong>', 'on 21 March 2026', '<svg class="line-chart"'],
  ['/', 'en-GB', '/v2/convert/EUR/USD?amount=100', 'WEBSERVICE(&quot;'],
  ['/', 'en-GB', '<form class="builder" action="/request"'],
  ['/', 'de', 'Je EUR', 'Änderung gegenüber dem vorigen Kurs', '<small>Japanischer Yen</small>'],
  ['/', 'de', 'Anfragen zusammenstellen'],
  ['/?amount=1234.5', 'de-DE', '<html lang="de-DE" dir="ltr">', '1.234,5 EUR', '21. März 2026'],
  ['/?amount=%3Cb%3E', 'en-GB', '“&lt;b&gt;” is not a number.'],
  ['/?date=2026-02-30', 'en-GB', 'The date must have the form YYYY-MM-DD. “2026-02-30” is not a date.'],
  [
    '/?base=BTC&quote=ZZZ',
    'en-GB',
    'no currency “BTC” here. Did you mean <a href="/?amount=100&amp;base=BTN&amp;quote=USD">BTN</a>? Showing EUR to USD',
    'no currency “ZZZ” here.  Showing EUR to USD instead.</small></div>',
    '100 EUR =</span> <strong>',
  ],
  ['/?base=usd&quote=EUU', 'de', 'Meinten Sie <a href="/?amount=100&amp;base=USD&amp;quote=EUR">EUR</a>?'],
  [
    '/?date=2026-03-02',
    'de',
    'value="2026-03-02"><span data-day="Neuester Kurs" aria-hidden="true">2. März 2026<',
  ],
  ['/?base=USD&quote=AED&span=1y', 'en-GB', '1 USD = 3.6725 AED', 'Fixed since 2 November 1997.'],
  ['/?base=SAR&quote=AED', 'en-GB', '1 SAR = 0.97933 AED', 'Unchanged since'],
  ['/currency/CHF', 'de', 'Schweizer Franken', 'Schweiz, Liechtenstein · ISO', 'Wer sie veröffentlicht ('],
  ['/currency/usd', 'en-GB', 'US Dollar', '<a href="/provider/ECB">European Central Bank</a>'],
  ['/currency/AED', 'en-GB', 'Pegged at 3.6725 AED per USD (Central Bank of the UAE).', '>AED to EUR<'],
  ['/provider/ecb', 'en-GB', 'European Central Bank', 'Its latest rates', ' Mar 2026</td></tr>'],
  ['/provider/ecb', 'en-GB', '<a href="https://www.ecb.europa.eu" rel="noreferrer">www.ecb.europa.eu</a>'],
  ['/provider/ecb', 'en-GB', 'index.en.html" rel="noreferrer">Terms of use</a></dd>'],
  ['/provider/TCMB', 'en-GB', 'It requires a key, which this service does not have.'],
  ['/provider/BAM', 'en-GB', 'Awaiting rates', 'Its latest rates have not arrived yet.'],
  ['/provider/BAM', 'en-GB', '<dd>publishes no terms</dd>'],
  ['/provider/BDL', 'en-GB', `>Terms of use</a>; ${RESTRICTED}`],
  ['/provider/CBBH', 'en-GB', `<dd>Terms of use; ${RESTRICTED}`],
  ['/status?q=canada', 'en-GB', '<div class="" data-listing>'],
  ['/status?q=nobody', 'en-GB', 'data-none><h2>No source matches “nobody”</h2>', '">Show all sources</a>'],
  ['/status?q=%22%3E%3Cscript%3E', 'en-GB', 'value="&quot;&gt;&lt;script&gt;"'],
])('%s in %s says %j', async (path, language, ...said) => {
  const text = await textOf(path, language);
  for (const one of said) expect(text).toContain(one);
  expect(text).not.toContain('<b>');
});

const ofPrograms = [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'];
it.each(ofPrograms)('GET / is the index for clients that accept %s', async (accept) => {
  const { headers, body } = await raw('/', accept === undefined ? {} : { accept });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers.vary).toContain('accept');
  expect(JSON.parse(body.toString())).toMatchObject({ name: 'Almanac' });
});

it('GET / has parameters only as a page', async () => {
  expect((await get('/?base=CHF', { accept: 'application/json' })).status).toBe(422);
  expect(await textOf('/?base=DEM&quote=EUR&amount=100')).toMatch(
    /<strong>51\.13 EUR<\/strong> <small>1 EUR = 1\.95583 DEM by law since 1.January.1999: <a [^>]*>Council Regulation \(EC\) No.2866\/98</,
  );
  expect((await textOf('/?base=EUR&quote=DEM')).split('<option value="DEM"')).toHaveLength(3);
  expect(await textOf('/?base=CHF&quote=JPY&amount=20')).toMatch(/20 CHF =<\/span> <strong>[\d,]+ JPY/);
});

it('GET / shows the newest rates with their change, in the language of the reader', async () => {
  const row = /<a href="\/currency\/JPY">JPY<\/a>.*?<td class="number (up|down|same)">[+−]?\d/s;
  const page = await textOf('/');
  expect(page).toMatch(row);
  expect(page).toMatch(/<a href="\/currencies\?base=EUR">All currencies \(\d+\)</);
  const german = await textOf('/', 'de');
  const section = german.slice(german.indexOf('id="newest-title"'));
  expect(section).not.toMatch(/Currency|Change|Month|Date<|All currencies|Japanese/);
});

it('GET / opens the answer to a built request without script', async () => {
  const days = 'range=between&date=2026-03-20&from=2026-03-02&to=2026-03-04';
  const built = await get(`/request?base=CHF&${days}&group=&format=csv&quotes=USD&quotes=JPY`);
  const target = '/v2/rates.csv?base=CHF&quotes=USD,JPY&from=2026-03-02&to=2026-03-04';
  expect([built.status, built.headers.get('location')]).toEqual([303, target]);
  expect(await textOf(target)).toMatch(/^date,base,quote,rate\n2026-03-02,CHF,JPY,/);
});

it('GET / names the host that was asked, and no other that was asked before', async () => {
  for (const host of ['one.example', 'two.example', 'one.example']) {
    const { body } = await raw('/', { ...HTML, host });
    expect(new Set(body.toString().match(/\b(one|two)\.example/g))).toEqual(new Set([host]));
  }
});

it('GET / writes nothing of a host with markup in its name', async () => {
  expect((await raw('/', { ...HTML, host: 'evil"><script>' })).body.toString()).not.toContain('evil');
});

it('GET / says that the first rates are being loaded', async () => {
  const nothing = { current: () => undefined, catchUp: async () => {}, close: async () => {} };
  const snapshot = { ...own.api.context.snapshot, ...nothing };
  const starting = await startApi(own.database, { clock, parts: { snapshot } });
  onTestFinished(starting.close);
  const { status, headers, text } = await pageAt(starting.url);
  expect([status, headers.get('retry-after'), headers.get('refresh')]).toEqual([503, '2', '5']);
  expect(text).toContain('The first rates are being loaded.');
  expect((await get('/')).headers.get('refresh')).toBeNull();
});

it('GET / over an empty database counts the sources that were read, and reloads itself', async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  await database.prisma.readingPlan.create({ data: { sources: 'ECB,BOC', since: NOW, seenAt: NOW } });
  const empty = await startApi(database, { clock });
  onTestFinished(empty.close);
  const { status, headers, text } = await pageAt(empty.url);
  expect([status, headers.get('cache-control'), headers.get('refresh')]).toEqual([503, 'no-store', '5']);
  expect(text).toContain('Reading the banks: 0 of 2 so far.');
});

/** The lines that can be seen, with their state. */
async function shown(query: string) {
  const lines = (await textOf(`/status?${query}`)).matchAll(/<tr><th scope="row".*?chip-(\w+).*?<\/tr>/gs);
  return [...lines].map(([line, state = '']) => ({ line, state }));
}

it('GET /status has a line for every provider, and its error in plain words', async () => {
  const page = await textOf('/status?sort=newest&order=descending&state=all');
  const link = '/status?sort=newest&amp;order=ascending&amp;state=all';
  expect(page).toContain(`aria-sort="descending"><a href="${link}"`);
  expect(page).toContain('Sources by “Latest”, descending</caption>');
  expect(page.match(/<tr><th scope="row"/g)?.length).toBe(providers.length);
  expect(page).toContain('The source returned a server error.');
  expect(page).not.toContain('secret');
  expect(page).toMatch(/Rates on 6\d of the last 90 days/);
  expect(page).not.toContain('npm run');
});

it('GET /status shows what needs attention, and by its address what else is asked for', async () => {
  const usual = await shown('');
  const attention = await shown('state=attention');
  expect(usual.map(({ state }) => state)).toEqual(attention.map(({ state }) => state));
  expect(new Set(attention.map(({ state }) => state))).toEqual(new Set(['failing', 'late']));
  const late = usual.find(({ state }) => state === 'late')?.line;
  expect(late).toContain('expected rates are missing');
  expect(late).toMatch(/ Missing publications: \d+<\/title>.*<path class="missed" d="M/);
  expect((await shown('state=fresh'))[0]?.line).toContain('<path class="missed" d=""/>');
  const failing = usual.find(({ state }) => state === 'failing')?.line;
  expect(failing).toMatch(
    /server error.*Failing since: <time datetime="2026-03-20T16:30:00.000Z">20 Mar, 16:30 UTC <small>\(/,
  );
  expect((await shown('state=failing')).map(({ state }) => state)).toEqual(['failing']);
  expect(await shown('state=all')).toHaveLength(providers.length);
  expect(await shown('q=canada')).toHaveLength(1);
  expect(await shown('state=nothing&sort=nothing&order=nothing')).toEqual(usual);
});

it('assets have a hash in their names, may be kept for ever, and are compressed ahead', async () => {
  const [path = ''] = (await textOf('/')).match(/\/assets\/style-\w+\.css/) ?? [];
  const plain = await raw(path, {});
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-type']).toBe('text/css; charset=utf-8');
  const coded = (coding: string) => raw(path, { 'accept-encoding': coding });
  const [br, gzip] = [await coded('br'), await coded('gzip')];
  expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(br.headers.etag).not.toBe(gzip.headers.etag);
  expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(br.body.equals(await readFile(join(projectFolder, 'dist', `${path}.br`)))).toBe(true);
  expect((await get(path, { 'if-none-match': String(plain.headers.etag) })).status).toBe(304);
});

it.each(['nothing.js', '../package.json', 'manifest.json'])('there is no /assets/%s', async (name) => {
  expect((await raw(`/assets/${name}`, HTML)).body.toString()).toContain('There is no page “');
});
