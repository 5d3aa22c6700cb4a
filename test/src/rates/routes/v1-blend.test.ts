import { describe, expect, it } from 'vitest';
import { openRoutes } from './in-process.js';

const rows = [
  'ECB 2026-02-27 EUR/USD 1.1537',
  'ECB 2026-03-02 EUR/USD 1.1546',
  'BOE 2026-03-02 GBP/USD 1.3411',
  'ECB 2026-03-03 EUR/CHF 0.9123',
];
const now = '2026-03-04T12:00:00Z';
const { ask, json } = openRoutes({ recorded: [{ at: '2026-03-04T09:00:00Z', rows }], now });

interface Row {
  date: string;
  quote: string;
  rate: number;
}
type Prices = Record<string, number>;

/** What `/v2/rates` has, without the base. */
async function pricesOf(query: string, base = 'EUR'): Promise<Prices> {
  const found = await json<Row[]>(`/v2/rates?base=${base}&${query}`);
  return Object.fromEntries(
    found.flatMap(({ quote, rate }): [string, number][] => (quote === base ? [] : [[quote, rate]])).sort(),
  );
}

describe('/v1/blend', () => {
  it('has the newest rates of all currencies in the form of /v1', async () => {
    const rates = await pricesOf('');
    expect(Object.keys(rates)).toEqual(expect.arrayContaining(['CHF', 'GBP', 'USD', 'XOF']));
    for (const path of ['latest', 'current'])
      expect((await ask(`/v1/blend/${path}`)).text).toBe(
        JSON.stringify({ amount: 1, base: 'EUR', date: '2026-03-03', rates }),
      );
    expect(await json('/v1/blend/latest?from=usd&to=GBP,XXY')).toEqual({
      amount: 1,
      base: 'USD',
      date: '2026-03-02',
      rates: await pricesOf('quotes=GBP', 'USD'),
    });
  });

  it('has those of a day, of one to come the newest', async () => {
    expect(await json('/v1/blend/2026-02-28?symbols=USD')).toEqual({
      amount: 1,
      base: 'EUR',
      date: '2026-02-27',
      rates: { USD: 1.1537 },
    });
    expect((await ask('/v1/blend/2030-01-01')).text).toBe((await ask('/v1/blend/latest')).text);
  });

  it('has an interval, with the first and the last day that there are', async () => {
    const interval = {
      amount: 1,
      base: 'EUR',
      start_date: '2026-02-27',
      end_date: '2026-03-03',
      // The last one is carried into the blend of a day on which another currency is published.
      rates: {
        '2026-02-27': { USD: 1.1537 },
        '2026-03-02': { USD: 1.1546 },
        '2026-03-03': { USD: 1.1546 },
      },
    };
    expect(await json('/v1/blend/2026-02-01..2026-03-31?symbols=USD')).toEqual(interval);
    expect(await json('/v1/blend/2026-02-01..?symbols=USD')).toEqual(interval);
  });

  it('multiplies by an amount, and rounds once', async () => {
    const { rate = 0 } = (await json<Row[]>('/v2/rates?quotes=GBP&precision=full'))[0] ?? {};
    const { amount, rates } = await json<{ amount: number; rates: Prices }>(
      '/v1/blend/latest?amount=250.5&symbols=GBP,USD',
    );
    expect([amount, rates]).toEqual([250.5, { GBP: Number((250.5 * rate).toFixed(2)), USD: 289.23 }]);
  });

  it('has the names of the currencies', async () => {
    const names = await json('/v1/blend/currencies');
    expect(names).toMatchObject({ EUR: 'Euro', XOF: expect.stringContaining('Franc') });
    expect(Object.keys(names)).toEqual(Object.keys(names).sort());
  });

  it.each([
    ['latest?base=ZZZ', 404, 'not found: there is no currency ZZZ'],
    ['latest?base=GBX', 404, 'not found: there is no currency GBX (GBX is a hundredth of GBP: use GBP here)'],
    ['latest?symbols=ZZZ', 404, 'not found: there is no currency ZZZ'],
    ['latest?base=USD&symbols=USD', 422, 'bad currency pair: base and symbols are both USD'],
    ['latest?amount=-1', 422, 'invalid amount: -1 (write a number above 0)'],
    ['2026-02-30', 422, 'invalid date: 2026-02-30 is not in the calendar'],
    ['2026-03-05..', 404, 'not found: 2026-03-05 is in the future'],
    ['2026-03-03..2026-03-02', 404, 'not found: 2026-03-03 is after 2026-03-02'],
    ['1999-01-04', 404, 'not found: there are no rates of these currencies and days'],
    ['soon', 404, expect.stringMatching(/^not found: use /)],
  ])('refuses %s as /v1 does', async (path, status, message) => {
    expect(await ask(`/v1/blend/${path}`)).toMatchObject({ status, message });
  });
});
