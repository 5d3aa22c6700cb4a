import { describe, expect, it } from 'vitest';
import { answers } from '../routes/golden.js';
import { ask, dialectsOn, json, routes } from './in-process.js';

// Files of rates that programs download whole.

type Rates = Record<string, number>;

describe("fawazahmed0's files", () => {
  const file = (date: string, name: string) =>
    `/fawazahmed0/npm/@fawazahmed0/currency-api@${date}/v1/${name}`;

  it.each([
    // Eight decimals, or eight significant digits below 0.1.
    ['latest', 'currencies/idr.json', { idr: { eur: 0.000051169217, usd: 0.000059033925 } }],
    ['latest', 'currencies/usd.json', { usd: { gbp: 0.75116924, aed: 3.6725 } }],
    ['2026-03-04', 'currencies/eur.json', { date: '2026-03-04', eur: { usd: 1.16, gbp: 0.87 } }],
    ['2026.3.4', 'currencies/eur.json', { date: '2026-03-04', eur: { usd: 1.16, gbp: 0.87 } }],
    ['latest', 'currencies.json', { aed: 'United Arab Emirates Dirham' }],
  ])('of %s: %s', async (date, name, expected) => {
    expect(await json(file(date, name))).toMatchObject(expected);
  });

  it('are indented with tabs, or minified, and stand at the fallback host too', async () => {
    const { text } = await ask(file('latest', 'currencies/eur.json'));
    expect(text).toMatch(/^\{\n\t"date": "2026-03-19",\n\t"eur": \{\n\t\t"aed": [^}]*\n\t\}\n\}$/);
    const minified = await ask('/fawazahmed0/latest/v1/currencies/eur.min.json');
    expect(minified.text).toBe(JSON.stringify(JSON.parse(text)));
    expect((await ask('/fawazahmed0/latest/v1/currencies/EUR.json')).text).toBe(text);
  });

  it.each([
    ...['latest/btc.json', 'latest/hrk.json', 'latest/eur.txt', 'newest/eur.json', '2026-03-21/eur.json'],
    ...['2026-02-30/eur.json', '2025-01-01/eur.json', 'latest/../countries.json'],
    '2025-01-01/../currencies.json',
  ])('are not there for %s', async (name) => {
    const target = `/fawazahmed0/${name.replace('/', '/v1/currencies/').replace('currencies/../', '')}`;
    expect(await ask(target)).toMatchObject({ status: 404, cacheControl: 'no-store' });
  });
});

describe("Prebid's currency file", () => {
  it.each([
    ['', 'USD,GBP,EUR'],
    ['?bases=', 'USD,GBP,EUR'],
    ['?bases=jpy, EUR,usd,EUR', 'USD,JPY,EUR'],
    ['?bases=EUR&bases=GBP', 'GBP'],
    ['?bases=EUR,HRK', 'EUR'],
    ['?date=20260306', 'USD,GBP,EUR'],
  ])('has the bases of %s', async (query, expected) => {
    const { conversions } = await json<{ conversions: object }>(`/prebid/latest.json${query}`);
    expect(Object.keys(conversions).join()).toBe(expected);
  });

  it('costs as much as it has bases', async () => {
    const cost = async (query: string) => (await routes.cost(`/prebid/latest.json${query}`))?.rows ?? 0;
    expect(await cost('?bases=USD,GBP')).toBe(2 * (await cost('?bases=USD')));
    expect(await cost('?bases=all')).toBe(180 * (await cost('?bases=USD')));
  });

  const DAYS = '{"generatedAt":"2026-03-19T23:59:59.000Z","dataAsOf":"2026-03-19T00:00:00.000Z"';
  answers(routes, {
    // When it was made, and of which day the rates are.
    '/prebid/latest.json': expect.stringContaining(`${DAYS},"conversions":{"USD":{"AED":3.6725,`),
    '/prebid/latest.json?bases=USD,EURO': expect.stringMatching(/^422 bases: invalid currency: EURO/),
    '/prebid/latest.json?bases=HRK': '404 no rates for HRK',
  });
});

describe("Firefly III's files", () => {
  it('have the Monday, and are indented by four', async () => {
    const { text } = await ask('/firefly/2026/10/EUR.json');
    expect(text).toMatch(/^\{\n {4}"date": "2026-03-02",\n {4}"rates": \{\n {8}"AED"/);
    expect(text).not.toContain('"EUR"');
  });

  it.each([
    ...['2026/13', '2026/0', '2026/54', '2027/1', '2027/53', '26/10', '2026/ten'].map(
      (week) => [week, 'EUR.json', `no rates for ${week}`] as const,
    ),
    ['2026/10', 'XXY.json', 'no such currency: XXY'],
    ['2026/10', 'HRK.json', 'no rates for HRK on 2026-03-02'],
    ['2020/10', 'EUR.json', 'no rates for EUR on 2020-03-02'],
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
    const { status, text } = await dialectsOn(rows, today).ask(`/firefly/${week}/EUR.json`);
    expect(status).toBe(monday ? 200 : 404);
    if (monday) expect(JSON.parse(text)).toMatchObject({ date: monday, rates: { USD: 1.25 } });
  });

  it('have the renminbi as RMB and as CNY', async () => {
    const yuan = ['ECB 2026-03-02 EUR/CNY 8', 'ECB 2026-03-02 EUR/USD 1.25', 'ECB 2026-03-02 EUR/INR 100'];
    const then = dialectsOn(yuan, '2026-03-03');
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
