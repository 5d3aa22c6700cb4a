import { describe, expect, it } from 'vitest';
import { dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { answers } from '../routes/golden.js';
import { openRoutes } from '../routes/in-process.js';
import { ask, json, routes } from './in-process.js';

// Files of rates that programs download whole.

type Rates = Record<string, number>;

describe("fawazahmed0's files", () => {
  const file = (date: string, name: string) =>
    `/fawazahmed0/npm/@fawazahmed0/currency-api@${date}/v1/${name}`;

  it('have the newest rates of a currency, in lower case, and the base among them', async () => {
    const { date, eur, ...others } = await json<{ date: string; eur: Rates }>(
      file('latest', 'currencies/eur.json'),
    );
    expect([date, others]).toEqual(['2026-03-19', {}]);
    expect(eur).toMatchObject({ eur: 1, gbp: 0.8673, jpy: 182.33, usd: 1.1546, xof: 655.957 });
    expect(Object.keys(eur)).toEqual(Object.keys(eur).toSorted());
  });

  it.each([
    // Eight decimals, or eight significant digits below 0.1.
    ['latest', 'currencies/idr.json', { idr: { eur: 0.000051129331, usd: 0.000059033925 } }],
    ['latest', 'currencies/usd.json', { usd: { gbp: 0.75116924, aed: 3.6725 } }],
    ['2026-03-04', 'currencies/eur.json', { date: '2026-03-04', eur: { usd: 1.16, gbp: 0.87 } }],
    ['2026.3.4', 'currencies/eur.json', { date: '2026-03-04', eur: { usd: 1.16, gbp: 0.87 } }],
    ['latest', 'currencies.json', { aed: 'United Arab Emirates Dirham' }],
  ])('of %s: %s', async (date, name, expected) => {
    expect(await json(file(date, name))).toMatchObject(expected);
  });

  it('are indented with tabs, or minified, and stand at the fallback host too', async () => {
    const { text } = await ask(file('latest', 'currencies/eur.json'));
    expect(text).toMatch(/^\{\n\t"date": "2026-03-19",\n\t"eur": \{\n\t\t"aed": /);
    const minified = await ask('/fawazahmed0/latest/v1/currencies/eur.min.json');
    expect(minified.text).toBe(JSON.stringify(JSON.parse(text)));
    expect((await ask('/fawazahmed0/latest/v1/currencies/EUR.json')).text).toBe(text);
  });

  it.each([
    ...['latest/btc.json', 'latest/hrk.json', 'latest/eur.txt', '2026-03-21/eur.json', '2026-02-30/eur.json'],
    ...[
      '2025-01-01/eur.json',
      'newest/eur.json',
      'latest/../countries.json',
      '2025-01-01/../currencies.json',
    ],
  ])('are not there for %s', async (name) => {
    const target = `/fawazahmed0/${name.replace('/', '/v1/currencies/').replace('currencies/../', '')}`;
    expect(await ask(target)).toMatchObject({ status: 404, cacheControl: 'no-store' });
  });
});

describe("Prebid's currency file", () => {
  type Conversions = Record<string, Rates>;
  const conversions = async (query = '') =>
    (await json<{ conversions: Conversions }>(`/prebid/latest.json${query}`)).conversions;

  it('says when it was made, and of which day the rates are', async () => {
    const { text, headers } = await ask('/prebid/latest.json');
    expect(text).toMatch(
      /^\{"generatedAt":"2026-03-19T23:59:59\.000Z","dataAsOf":"2026-03-19T00:00:00\.000Z","conversions":\{"USD":\{"AED":3\.6725,/,
    );
    expect(headers).toMatchObject({ 'x-rates-as-of': '2026-03-19' });
  });

  it('has twelve significant digits, and the base among them', async () => {
    expect(await conversions()).toMatchObject({
      USD: { USD: 1, EUR: 0.866100814135, GBP: 0.751169236099, IDR: 16939.4123256 },
      GBP: { GBP: 1, EUR: 1.15300357431 },
      EUR: { EUR: 1, USD: 1.1546, XOF: 655.957 },
    });
  });

  it.each([
    ['', 'USD,GBP,EUR'],
    ['?bases=', 'USD,GBP,EUR'],
    ['?bases=jpy, EUR,usd,EUR', 'USD,JPY,EUR'],
    ['?bases=EUR&bases=GBP', 'GBP'],
    ['?bases=EUR,HRK', 'EUR'],
    ['?date=20260306', 'USD,GBP,EUR'],
  ])('has the bases of %s', async (query, expected) => {
    const found = await conversions(query);
    expect(Object.keys(found).join()).toBe(expected);
    for (const rates of Object.values(found))
      expect(Object.keys(rates)).toEqual(Object.keys(rates).toSorted());
  });

  it('costs as much as it has bases', async () => {
    const cost = async (query: string) => (await routes.cost(`/prebid/latest.json${query}`))?.rows ?? 0;
    expect(await cost('?bases=USD,GBP')).toBe(2 * (await cost('?bases=USD')));
    expect(await cost('?bases=all')).toBe(180 * (await cost('?bases=USD')));
  });

  answers(routes, {
    '/prebid/latest.json?bases=USD,EURO': expect.stringMatching(/^422 bases: invalid currency: EURO/),
    '/prebid/latest.json?bases=HRK': '404 no rates of HRK',
  });
});

describe("Firefly III's files", () => {
  it('have the rates of the Monday, indented by four and without the base', async () => {
    const { text, headers } = await ask('/firefly/2026/10/EUR.json');
    expect(text).toMatch(/^\{\n {4}"date": "2026-03-02",\n {4}"rates": \{\n {8}"/);
    const { rates } = JSON.parse(text) as { rates: Rates };
    expect(rates).toMatchObject({ USD: 1.1698, GBP: 0.87, XOF: 655.957 });
    expect(rates).not.toHaveProperty('EUR');
    expect(Object.keys(rates)).toEqual(Object.keys(rates).toSorted());
    expect(headers).toMatchObject({ 'x-rates-as-of': '2026-03-02' });
  });

  it('have the newest rates of the 14 days before it', async () => {
    expect(await json('/firefly/2026/12/usd.json')).toMatchObject({
      date: '2026-03-16',
      rates: { EUR: 0.864977, GBP: 0.749719 },
    });
  });

  it.each([
    ...['2026/13', '2026/0', '2026/54', '2027/1', '2027/53', '26/10', '2026/ten'].map(
      (week) => [week, 'EUR.json', `no rates of ${week}`] as const,
    ),
    ['2026/10', 'XXY.json', 'no such currency: XXY'],
    ['2026/10', 'HRK.json', 'no rates of HRK on 2026-03-02'],
    ['2020/10', 'EUR.json', 'no rates of EUR on 2020-03-02'],
    ['2026/10', 'EUR.txt', 'no file EUR.txt'],
  ] as const)('are not there for %s/%s', async (week, file, message) => {
    expect(await ask(`/firefly/${week}/${file}`)).toMatchObject({
      status: 404,
      cacheControl: 'no-store',
      message: expect.stringContaining(message),
    });
  });

  const MONDAYS = ['2020-12-28', '2021-12-27', '2022-12-19', '2023-12-25', '2025-12-22', '2026-12-28'];
  const rows = [...MONDAYS, '2027-01-04'].map((date) => `ECB ${date} EUR/USD 1.25`);
  // A client asks with the calendar year of today and the week of ISO 8601.
  it.each([
    ['2026-12-28', '2026/53', '2026-12-28'],
    ['2027-01-04', '2027/1', '2027-01-04'],
    ['2026-12-29', '2026/1', '2025-12-29'],
    ['2025-12-29', '2025/1', '2025-12-29'],
    ['2026-01-01', '2026/1', '2025-12-29'],
    ['2023-01-01', '2023/52', '2022-12-26'],
    ['2023-12-25', '2023/52', '2023-12-25'],
    ['2021-01-03', '2021/53', '2020-12-28'],
    ['2026-01-05', '2026/53', undefined],
    ['2026-01-04', '2026/2', undefined],
  ])('around New Year, on %s, have as %s that of %s', async (today, week, monday) => {
    const then = openRoutes({
      recorded: [{ at: `${today}T00:00:00Z`, rows }],
      now: `${today}T23:59:59Z`,
      others: dialectRoutes,
    });
    const { status, text } = await then.ask(`/firefly/${week}/EUR.json`);
    expect(status).toBe(monday ? 200 : 404);
    if (monday) expect(JSON.parse(text)).toMatchObject({ date: monday, rates: { USD: 1.25 } });
  });

  it('have the renminbi as RMB and as CNY', async () => {
    const yuan = ['ECB 2026-03-02 EUR/CNY 8', 'ECB 2026-03-02 EUR/USD 1.25', 'ECB 2026-03-02 EUR/INR 100'];
    const then = openRoutes({
      recorded: [{ at: '2026-03-03T00:00:00Z', rows: yuan }],
      now: '2026-03-03T12:00:00Z',
      others: dialectRoutes,
    });
    const ratesOf = async (code: string) =>
      (await then.json<{ rates: Rates }>(`/firefly/2026/10/${code}.json`)).rates;
    const ofEuro = await ratesOf('EUR');
    expect(ofEuro).toMatchObject({ CNY: 8, RMB: 8 });
    expect(Object.keys(ofEuro)).toEqual(Object.keys(ofEuro).toSorted());
    const rates = await ratesOf('RMB');
    expect(rates).toMatchObject({ EUR: 0.125, USD: 0.15625 });
    for (const code of ['RMB', 'CNY']) expect(rates).not.toHaveProperty(code);
    expect(await ratesOf('CNY')).toEqual(rates);
  });
});
