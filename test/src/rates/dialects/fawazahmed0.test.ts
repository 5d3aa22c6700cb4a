import { describe, expect, it } from 'vitest';
import { ask, json } from './in-process.js';

const file = (date: string, name: string) => `/fawazahmed0/npm/@fawazahmed0/currency-api@${date}/v1/${name}`;

interface Rates {
  date: string;
  eur: Record<string, number>;
}

describe("fawazahmed0's files", () => {
  it('have the newest rates of a currency, in lower case, and the base among them', async () => {
    const { date, eur, ...others } = await json<Rates>(file('latest', 'currencies/eur.json'));
    expect(others).toEqual({});
    expect(date).toBe('2026-03-19');
    expect(eur).toMatchObject({ eur: 1, gbp: 0.8673, jpy: 182.33, usd: 1.1546, xof: 655.957 });
    expect(Object.keys(eur)).toEqual(Object.keys(eur).toSorted());
  });

  it('have eight decimals, or eight significant digits below 0.1', async () => {
    const { idr } = await json<{ idr: Record<string, number> }>(file('latest', 'currencies/idr.json'));
    expect(idr).toMatchObject({ eur: 0.000051129331, usd: 0.000059033925 });
    const { usd } = await json<{ usd: Record<string, number> }>(file('latest', 'currencies/usd.json'));
    expect(usd).toMatchObject({ gbp: 0.75116924, aed: 3.6725 });
  });

  it.each(['2026-03-04', '2026.3.4'])('have the rates of %s', async (date) => {
    expect(await json<Rates>(file(date, 'currencies/eur.json'))).toMatchObject({
      date: '2026-03-04',
      eur: { usd: 1.16, gbp: 0.87 },
    });
  });

  it('are indented with tabs, or minified, and stand at the fallback host too', async () => {
    const { text } = await ask(file('latest', 'currencies/eur.json'));
    expect(text).toMatch(/^\{\n\t"date": "2026-03-19",\n\t"eur": \{\n\t\t"aed": /);
    const minified = await ask('/fawazahmed0/latest/v1/currencies/eur.min.json');
    expect(minified.text).toBe(JSON.stringify(JSON.parse(text)));
    expect((await ask('/fawazahmed0/latest/v1/currencies/EUR.json')).text).toBe(text);
  });

  it('name the currencies', async () => {
    expect(await json(file('latest', 'currencies.json'))).toMatchObject({
      aed: 'United Arab Emirates Dirham',
    });
  });

  it.each([
    ['latest', 'currencies/btc.json'],
    ['latest', 'currencies/hrk.json'],
    ['latest', 'currencies/eur.txt'],
    ['latest', 'countries.json'],
    ['2026-03-21', 'currencies/eur.json'],
    ['2026-02-30', 'currencies/eur.json'],
    ['2025-01-01', 'currencies/eur.json'],
    ['2025-01-01', 'currencies.json'],
    ['newest', 'currencies/eur.json'],
  ])('are not there for %s %s', async (date, name) => {
    expect(await ask(file(date, name))).toMatchObject({ status: 404, cacheControl: 'no-store' });
  });
});
