import { describe, expect, it } from 'vitest';
import { answers, routesOn, served, shown } from './golden.js';

const ROWS = [
  ...['ECB 2026-03-12 EUR/USD 1.1512', 'ECB 2026-03-12 EUR/GBP 0.8641', 'ECB 2026-03-13 EUR/USD 1.1456'],
  ...['ECB 2026-03-13 EUR/GBP 0.86583', 'ECB 2026-03-13 EUR/JPY 182.93', 'ECB 2026-03-16 EUR/USD 1.1523'],
  ...['ECB 2026-03-16 EUR/JPY 183.41', 'BOC 2026-03-17 EUR/USD 1.2'],
];
const NOW = '2026-03-17T12:00:00Z';
const routes = routesOn(ROWS, NOW);
const NEWEST = '{"amount":1,"base":"EUR","date":"2026-03-16","rates":{"JPY":183.41,"USD":1.1523}}';

describe('/v1', () => {
  answers(routes, {
    // One bank, in its own digits.
    '/v1/latest': NEWEST,
    '/v1/current': NEWEST,
    '/v1/2031-01-01': NEWEST,
    '/v1/2026-03-15?symbols=USD,gbp':
      '{"amount":1,"base":"EUR","date":"2026-03-13","rates":{"GBP":0.86583,"USD":1.1456}}',
    '/v1/2026-03-13?from=USD&to=EUR,JPY&base=GBP&amount=10.5x':
      '{"amount":10.5,"base":"USD","date":"2026-03-13","rates":{"EUR":9.1655,"JPY":1676.65}}',
    '/v1/2026-03-15..2026-03-16?symbols=GBP,USD':
      '{"amount":1,"base":"EUR","start_date":"2026-03-13","end_date":"2026-03-16","rates":{"2026-03-13":{"GBP":0.86583,"USD":1.1456},"2026-03-16":{"USD":1.1523}}}',
    '/v1/2026-03-13..?base=JPY&symbols=USD':
      '{"amount":1,"base":"JPY","start_date":"2026-03-13","end_date":"2026-03-16","rates":{"2026-03-13":{"USD":0.0062625},"2026-03-16":{"USD":0.0062826}}}',
    '/v1/2026-03-17..?symbols=USD':
      '{"amount":1,"base":"EUR","start_date":"2026-03-16","end_date":"2026-03-16","rates":{"2026-03-16":{"USD":1.1523}}}',
    '/v1/currencies':
      '{"EUR":"Euro","GBP":"British Pound","JPY":"Japanese Yen","USD":"United States Dollar"}',
    '/v1/latest?base=XYZ': '404 not found: the ECB has no rates of XYZ on 2026-03-16',
    '/v1/latest?symbols=XYZ': '404 not found: the ECB has no rates of XYZ on 2026-03-16',
    '/v1/1998-12-31': '404 not found: the first rates of the ECB are of 2026-03-12',
  });

  it('ends an interval without an end today, and names its successor', async () => {
    const tomorrow = routesOn([...ROWS, 'ECB 2026-03-18 EUR/USD 1.16'], '2026-03-18T12:00:00Z');
    expect(await tomorrow.json('/v1/2026-03-12..')).toMatchObject({ end_date: '2026-03-18' });
    const known = routesOn([...ROWS, 'ECB 2026-03-18 EUR/USD 1.16'], NOW);
    expect(await known.json('/v1/2026-03-12..')).toMatchObject({ end_date: '2026-03-16' });
    expect(await known.json('/v1/2026-03-12..2026-03-18')).toMatchObject({ end_date: '2026-03-18' });
    expect((await routes.ask('/v1/latest')).headers).toEqual({
      link: '</v2/rates>; rel="successor-version"',
    });
  });

  describe('over HTTP, with the other routes of the older service', () => {
    const days = '"start_date":"2026-03-12","end_date":"2026-03-13"';
    answers(served(ROWS, NOW), {
      '/v1/latest': NEWEST,
      '/v1/latest?amount=x': '422 amount: invalid amount: x (write a number above 0)',
      '/v2/coverage?base=USD&quotes=GBP': `{"base":"USD","quotes":["GBP"],"providers":null,${days}}`,
      '/v2/coverage?base=USD&quotes=GBP&providers=ECB': `{"base":"USD","quotes":["GBP"],"providers":["ECB"],${days}}`,
      '/v2/coverage?quotes=KPW':
        '{"base":"EUR","quotes":["KPW"],"providers":null,"start_date":null,"end_date":null}',
      '/v2/providers/ecb/rates?date=2026-03-13':
        '[2026-03-13 EUR/EUR 1, 2026-03-13 EUR/GBP 0.86583, 2026-03-13 EUR/JPY 182.93, 2026-03-13 EUR/USD 1.1456]',
      '/v2/providers/ECB/rate/USD/JPY': '2026-03-16 USD/JPY 159.17',
      '/v2/rate/EUR/USD.txt': '1.1757',
      '/v2/rate/EUR': expect.stringMatching(/^404 /),
      '/v2/rates.xml': expect.stringMatching(/^404 /),
    });
  });
});

describe('/v1/blend', () => {
  const blend = routesOn(
    [
      ...['ECB 2026-02-27 EUR/USD 1.1537', 'ECB 2026-03-02 EUR/USD 1.1546', 'BOE 2026-03-02 GBP/USD 1.3411'],
      'ECB 2026-03-03 EUR/CHF 0.9123',
    ],
    '2026-03-04T12:00:00Z',
  );
  // The last one is carried into the blend of a day on which another currency is published.
  const interval =
    '{"amount":1,"base":"EUR","start_date":"2026-02-27","rates":{"2026-02-27":{"USD":1.1537},"2026-03-02":{"USD":1.1546},"2026-03-03":{"USD":1.1546}},"end_date":"2026-03-03"}';

  it('has the newest rates of all currencies in the form of /v1', async () => {
    const rows = await blend.json<{ quote: string; rate: number }[]>('/v2/rates');
    const prices = rows.flatMap(({ quote, rate }) => (quote === 'EUR' ? [] : [[quote, rate] as const]));
    const rates = Object.fromEntries(prices.sort());
    expect(Object.keys(rates)).toEqual(expect.arrayContaining(['CHF', 'GBP', 'USD', 'XOF']));
    const newest = JSON.stringify({ amount: 1, base: 'EUR', date: '2026-03-03', rates });
    for (const path of ['latest', 'current', '2030-01-01'])
      expect(await shown(blend, `/v1/blend/${path}`)).toBe(newest);
    const names = await blend.json('/v1/blend/currencies');
    expect(names).toMatchObject({ EUR: 'Euro', XOF: expect.stringContaining('Franc') });
    expect(Object.keys(names)).toEqual(Object.keys(names).sort());
  });

  answers(blend, {
    '/v1/blend/latest?from=usd&to=GBP,XXY':
      '{"amount":1,"base":"USD","date":"2026-03-02","rates":{"GBP":0.74566}}',
    '/v1/blend/2026-02-28?symbols=USD':
      '{"amount":1,"base":"EUR","date":"2026-02-27","rates":{"USD":1.1537}}',
    '/v1/blend/2026-02-01..2026-03-31?symbols=USD': interval,
    '/v1/blend/2026-02-01..?symbols=USD': interval,
    // Multiplied before it is rounded.
    '/v2/rates.csv?quotes=GBP&precision=full&header=off': '2026-03-02,EUR,GBP,0.860935053314\n',
    '/v1/blend/latest?amount=250.5&symbols=GBP,USD':
      '{"amount":250.5,"base":"EUR","date":"2026-03-03","rates":{"GBP":215.66,"USD":289.23}}',
    '/v1/blend/latest?base=ZZZ': '404 not found: there is no currency ZZZ',
    '/v1/blend/latest?base=GBX':
      '404 not found: there is no currency GBX (GBX is a hundredth of GBP: use GBP here)',
    '/v1/blend/latest?symbols=ZZZ': '404 not found: there is no currency ZZZ',
    '/v1/blend/latest?base=USD&symbols=USD': '422 symbols: bad currency pair: base and symbols are both USD',
    '/v1/blend/latest?amount=-1': '422 amount: invalid amount: -1 (write a number above 0)',
    '/v1/blend/2026-02-30': '422 date: invalid date: 2026-02-30 is not in the calendar',
    '/v1/blend/2026-03-05..': '404 not found: 2026-03-05 is in the future',
    '/v1/blend/2026-03-03..2026-03-02': '404 not found: 2026-03-03 is after 2026-03-02',
    '/v1/blend/1999-01-04': '404 not found: there are no rates of these currencies and days',
    '/v1/blend/soon': expect.stringMatching(/^404 not found: use /),
  });
});
