import { expect, test } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { pagesOver } from './support.js';

const QUOTES = ['USD 1.15', 'CHF 0.92', 'GBP 0.87', 'JPY 180'];
const RATES = [
  ...QUOTES.map((quote) => `ECB 2026-03-20 EUR/${quote}`),
  ...['USD 1.15', 'CHF 0.91'].map((quote) => `ECB 2026-03-19 EUR/${quote}`),
  'BBK 1998-12-30 USD/DEM 1.67',
  ...['ROL 39663', 'SIT 239.75'].map((quote) => `ECB 2004-12-30 EUR/${quote}`),
  'BOE 2004-12-30 USD/ZMK 4720',
];
const pages = pagesOver(RATES, '2026-03-20T17:30:00Z');

/** The keys of the lines that can be seen. */
const shown = (page: string) =>
  [...page.matchAll(/<tr>(?:<td[^>]*>[^<]*<\/td>)?<th .*?<a href="\/\w+\/(\w+)/g)].map(([, key]) => key);

test('the list of currencies has frequent ones first but the base, those of the past at the end', async () => {
  const text = await pages.textOf('/currencies');
  // Those with a fixed rate to one of them too.
  const keys = shown(text);
  expect(keys.slice(0, 4)).toEqual(['USD', 'JPY', 'GBP', 'CHF']);
  expect(keys).toContain('XOF');
  const [, past = ''] = /\d+ current and (\d+) historical/.exec(text) ?? [];
  expect(keys.slice(-Number(past))).toEqual(expect.arrayContaining(['DEM', 'ROL', 'SIT', 'ZMK']));
  expect(keys.slice(0, -Number(past))).not.toContain('DEM');
  expect(text).toMatch(/DEM<\/a> .*<small>no longer in use<\/small>.*30 Dec 1998/);
});

test.each([
  ['/currencies', 'Per 1 EUR', '0.92000', '+1.10%'],
  ['/currencies?base=usd', 'Per 1 USD', '0.80000', '+1.10%'],
  ['/currencies?base=ZZZ', 'Per 1 EUR', '0.92000', '+1.10%'],
])('%s has the newest rates, their change and the month', async (path, head, rate, change) => {
  const text = await pages.textOf(path);
  expect(text).toContain(head);
  expect(text).toMatch(/<option value="(USD|EUR)" selected>/);
  const [line] = /<a href="\/currency\/CHF">.*?<\/tr>/.exec(text) ?? [];
  expect(line).toContain(`<td class="number">${rate}</td><td class="number up">${change}</td>`);
  expect(line).toMatch(/<svg class="sparkline".*20 Mar<\/td>/);
});

test.each([
  ['/currencies?q=schweiz', 'de', ['CHF']],
  ['/currencies?q=Japon', 'fr', ['JPY']],
  ['/currencies?q=osterreich', 'de', ['EUR']],
  ['/currencies?q=quid', 'fr', ['GBP']],
  ['/currencies?q=Deutsche+Mark', 'en', ['DEM']],
  ['/currencies?q=zzz', 'en', []],
  ['/providers?q=norges', 'en', ['NB']],
  ['/providers?q=Tschechien', 'de', ['CNB']],
  ['/providers?q=czechia', 'de', ['CNB']],
])('lists: %s finds in %s: %s', async (path, language, keys) => {
  expect(shown((await pages.get(path, language)).text)).toEqual(keys);
});

test.each([
  ['/currencies?q=dolarr', '/currency/USD">US Dollar (USD)</a>, <a href="/currency/'],
  ['/providers?q=norgez', '/provider/NB">Norges Bank</a>?'],
])('a search that finds nothing suggests the nearest names: %s', async (path, link) => {
  const [none] = /data-none>.*?<\/div>/.exec(await pages.textOf(path)) ?? [];
  expect(none).toContain(`Did you mean <a href="${link}`);
  expect(none).toMatch(/<h2>No \w+ matches “\w+”<\/h2>.*<a class="button" href="\/(currencies|providers)">/);
});

const first = async (path: string, count: number) => shown(await pages.textOf(path)).slice(0, count);

test('lists are sorted by a column, in either order, lines without a key last', async () => {
  const known = async (path: string) =>
    shown(await pages.textOf(path)).filter((key = '') => ['CHF', 'DEM', 'EUR', 'GBP', 'JPY'].includes(key));
  expect(await known('/currencies?sort=rate&order=ascending')).toEqual(['GBP', 'CHF', 'JPY', 'DEM']);
  expect(await known('/currencies?sort=rate')).toEqual(['JPY', 'CHF', 'GBP', 'DEM']);
  expect(await known('/currencies?sort=date&order=ascending')).toEqual(['DEM', 'JPY', 'GBP', 'CHF']);
  expect(await first('/currencies?sort=nothing&order=nothing', 2)).toEqual(['USD', 'JPY']);
  for (const [text, code] of Object.entries({ franc: 'CHF', dollar: 'USD', uk: 'GBP', '€': 'EUR' }))
    expect(await first(`/currencies?q=${text}`, 1)).toEqual([code]);
  const page = await pages.textOf('/currencies?sort=rate&base=CHF&q=a&lang=en');
  const link = '/currencies?sort=rate&amp;base=CHF&amp;q=a&amp;order=ascending&amp;lang=en';
  expect(page).toContain(`aria-sort="descending"><a href="${link}">`);
  expect(page).toContain('<input type="hidden" name="sort" value="rate">');
});

test('the list of sources has all, each with its state and its newest day', async () => {
  const text = await pages.textOf('/providers?sort=newest');
  expect(shown(text)).toHaveLength(providers.length);
  expect(shown(text).slice(0, 2)).toEqual(['ECB', 'BOE']);
  expect(text).toMatch(/European Central Bank<\/a>.*?chip-fresh">Up to date<.*?20 Mar 2026/);
  const known = providers.map(({ key }) => key);
  for (const page of ['/providers?', '/status?state=all&']) {
    const byName = async (order: string) => shown(await pages.textOf(`${page}sort=name&order=${order}`));
    expect((await byName('descending')).toReversed()).toEqual(await byName('ascending'));
    expect((await byName('ascending')).toSorted()).toEqual(known);
  }
});

test('the page of a currency begins with what it costs, converted and drawn', async () => {
  const { text } = await pages.get('/currency/chf');
  expect(text).toContain('<title>Swiss Franc (CHF): 1 CHF = 1.2500 USD · Almanac</title>');
  expect(text).toMatch(/100 CHF =<\/span> <strong>125\.00 USD<\/strong>/);
  expect(text).toMatch(
    /data-chart="{&quot;request&quot;:{&quot;base&quot;:&quot;CHF&quot;,&quot;quote&quot;:&quot;USD&quot;/,
  );
  expect(text).toContain('>1.2500</text></svg>');
  expect(text).toMatch(/<link rel="canonical" href="[^"]*\/currency\/CHF">/);
  expect(text).toMatch(
    /name="amount".*CHF to USD.*Latest rates.*currencies\?base=CHF.*Who publishes it \(1\)/s,
  );
  expect(await pages.textOf('/currency/USD')).toMatch(/100 USD =<\/span> <strong>86\.96 EUR/);
});

const EUROS = 'CELEX:31998R2866" rel="noreferrer" lang="en">Council Regulation (EC) No 2866/98</a>';
test.each([
  ['DEM', 'became 1 <a href="/currency/EUR" title="Euro">EUR</a>. Not in use since 1 January 2002.', EUROS],
  [
    'ROL',
    '10,000 ROL became 1 <a href="/currency/RON" title="Romanian Leu">RON</a>.',
    '>Law No. 348/2004 of Romania</a>',
  ],
])(
  'the page of %s says until when it was in use, what it became, and by which law',
  async (code, ...said) => {
    const text = await pages.textOf(`/currency/${code}`);
    for (const one of said) expect(text).toContain(one);
  },
);

test('an ended currency is converted to what replaced it by law, or at the rate of its last day', async () => {
  const mark = await pages.textOf('/currency/DEM');
  expect(mark).toMatch(
    /100 DEM =<\/span> <strong>51\.13 EUR<\/strong> <small>1 EUR = 1\.95583 DEM by law since 1 January 1999: <a/,
  );
  expect(mark).toContain('{&quot;base&quot;:&quot;DEM&quot;,&quot;quote&quot;:&quot;USD&quot;');
  const kwacha = await pages.textOf('/currency/ZMK');
  expect(kwacha).toMatch(/100 ZMK =<\/span> <strong>0\.0212 USD<.*30 December 2004/);
  expect(kwacha).toMatch(/1,000 ZMK became 1 <a [^>]*>ZMW<\/a>\./);
  expect(mark + kwacha).not.toContain('Latest rates</h2>');
  expect(kwacha).not.toContain('Law:');
});

test('the chart of a pair ends with its rates, or says since when the pair is fixed', async () => {
  const said = [
    '>USD to ZMK</h2>',
    'data-readout>(<strong>[^<]*</strong>|<span class="same">[^<]*</span>) <span>Up to 30 Dec 2004</span></p>',
    'data-choice="all"',
  ];
  expect(await pages.textOf('/?base=USD&quote=ZMK')).toMatch(new RegExp(said.join('.*'), 's'));
  const fixed = await pages.textOf('/?base=EUR&quote=DEM');
  expect(fixed).toMatch(/1 EUR = 1\.95583 DEM by law since 1 January 1999.*>DEM to USD<\/h2>/s);
});

test('the page of a source says what the bars of its days are, and from when to when', async () => {
  const text = await pages.textOf('/provider/ECB');
  expect(text).toMatch(/reference rate · daily · 7 currencies since 30 December 2004 · <a/);
  expect(text).toMatch(
    /<p class="distance">[\d.]+%<\/p><p class="hint">Half of its rates are within [\d.]+%/,
  );
  expect(await pages.textOf('/provider/ECB', 'de')).toContain('Referenzkurs · täglich · ');
  expect(text).toMatch(
    /21 Dec<\/span><span dir="auto">today<.*>Rates<.*>Few currencies<.*Distance from blend<\/h2>/s,
  );
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
  expect(text.match(/class="button"/g)).toHaveLength(1);
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
  expect(await pages.textOf(path)).toContain(`<a class="button" href="${href}">`);
});

test.each(['/nope', '/rates', '/provider'])('for programs, %s is JSON', async (path) => {
  const message = expect.stringMatching(/^nothing at/);
  const nothing = { success: false, status: 404, code: 'not_found', message };
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
