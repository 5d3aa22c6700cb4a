import { describe, expect, it } from 'vitest';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { encodePricesByDate } from '../../../../src/rates/encoding/rates-object.js';
import { CHUNK_BYTES } from '../../../../src/rates/encoding/row-encoder.js';
import { v1Query } from '../../../../src/rates/v1/replies.js';
import { answers, routesOn, served } from '../routes/golden.js';

const NOW = '2026-04-27T12:00:00Z';
const ROWS = [
  ...['ECB 2026-03-02 EUR/CHF 0.91', 'ECB 2026-03-02 EUR/USD 1.1512', 'ECB 2026-03-16 EUR/USD 1.1523'],
  ...['ECB 2026-03-16 EUR/GBP 0.86412', 'ECB 2026-03-17 EUR/USD 1.1601', 'ECB 2026-04-10 EUR/USD 1.2'],
  'ECB 2026-04-10 EUR/JPY 183.41',
];
const routes = routesOn(ROWS, NOW);

/** A body with these rates. */
const day = (date: string, rates: string, base = 'EUR', amount = 1) =>
  `{"amount":${amount},"base":"${base}","date":"${date}","rates":{${rates}}}`;
const NEWEST = day('2026-04-10', '"JPY":183.41,"USD":1.2');
const noRatesOf = (codes: string) => `404 not found: the ECB has no rates for ${codes} on 2026-03-16`;
const nothingUpTo = (date: string) =>
  `404 not found: the ECB has published nothing in the 14 days up to ${date}`;

describe('a day of /v1', () => {
  const MARCH = '"GBP":0.86412,"USD":1.1523';
  answers(routes, {
    // The last publication of the fourteen days up to it, which is the newest where none is asked for.
    '/v1/2026-03-02': day('2026-03-02', '"CHF":0.91,"USD":1.1512'),
    '/v1/2026-03-15': day('2026-03-02', '"CHF":0.91,"USD":1.1512'),
    '/v1/2026-03-16': day('2026-03-16', MARCH),
    '/v1/2026-03-31': day('2026-03-17', '"USD":1.1601'),
    '/v1/2026-04-01': nothingUpTo('2026-04-01'),
    '/v1/2026-03-01': '404 not found: the first rates of the ECB are of 2026-03-02',
    '/v1/latest': NEWEST,
    '/v1/2026-04-24': NEWEST,
    '/v1/2026-04-25': nothingUpTo('2026-04-25'),
    // Without the base, in the digits of the bank for one euro; else rounded once, for display.
    '/v1/2026-03-16?symbols=USD,CHF': day('2026-03-16', '"USD":1.1523'),
    '/v1/2026-03-16?amount=10': day('2026-03-16', '"GBP":8.6412,"USD":11.523', 'EUR', 10),
    '/v1/2026-03-16?base=USD': day('2026-03-16', '"EUR":0.86783,"GBP":0.74991', 'USD'),
    '/v1/2026-03-16?base=USD&amount=100': day('2026-03-16', '"EUR":86.78,"GBP":74.991', 'USD', 100),
    // The base was not quoted, or none of the symbols.
    '/v1/2026-03-16?base=CHF': noRatesOf('CHF'),
    '/v1/2026-03-16?base=NOK': noRatesOf('NOK'),
    '/v1/2026-03-16?symbols=CHF,NOK': noRatesOf('CHF, NOK'),
    '/v1/2026-03-16?symbols=': '404 not found: symbols names no currency',
    // A base that is the only symbol is refused where it is named.
    '/v1/2026-03-16?symbols=EUR&base=EUR': '422 symbols: bad currency pair: base and symbols are both EUR',
    '/v1/2026-03-16..2026-03-17?symbols=EUR&from=EUR':
      '422 symbols: bad currency pair: base and symbols are both EUR',
    '/v1/2026-03-16?symbols=EUR': noRatesOf('EUR'),
    '/v1/2026-03-16?symbols=EUR,USD&base=EUR': day('2026-03-16', '"USD":1.1523'),
  });
  answers(routesOn([], NOW), { '/v1/latest': '404 not found: there are no rates from the ECB yet' });
});

describe('an interval of /v1', () => {
  // The days of publication up to its end, from the last on or before its first day on.
  it.each([
    ['2026-03-02..2026-03-16', '', '2026-03-02,2026-03-16'],
    ['2026-03-15..2026-03-16', '', '2026-03-02,2026-03-16'],
    ['2026-03-16..2026-03-16', '', '2026-03-16'],
    ['2026-03-03..2026-03-15', '', '2026-03-02'],
    ['2026-02-01..2026-03-02', '', '2026-03-02'],
    // More than fourteen days after the last publication it begins with the next one.
    ['2026-04-01..', '', '2026-04-10'],
    ['2026-03-31..', '', '2026-03-17,2026-04-10'],
    // Days on which the base or the symbols were not quoted are left out.
    ['2026-03-02..', '?base=GBP', '2026-03-16'],
    ['2026-03-02..', '?symbols=JPY', '2026-04-10'],
  ])('%s%s has the days %s', async (days, query, expected) => {
    const { rates, ...ends } = await routes.json<{ rates: object }>(`/v1/${days}${query}`);
    const dates = Object.keys(rates);
    expect(dates.join()).toBe(expected);
    expect(ends).toMatchObject({ start_date: dates[0], end_date: dates.at(-1) });
  });

  const nothing = '404 not found: there are no rates for these currencies and days';
  answers(routes, {
    '/v1/2026-03-16..2026-04-01?symbols=USD&amount=2':
      '{"amount":2,"base":"EUR","start_date":"2026-03-16","rates":{"2026-03-16":{"USD":2.3046},"2026-03-17":{"USD":2.3202}},"end_date":"2026-03-17"}',
    '/v1/2026-04-02..2026-04-09': nothing,
    '/v1/2026-01-01..2026-03-01': nothing,
  });

  it('without an end ends today, though the next day is known', async () => {
    const known = routesOn([...ROWS, 'ECB 2026-04-28 EUR/USD 1.16'], NOW);
    expect(await known.json('/v1/2026-04-01..')).toMatchObject({ end_date: '2026-04-10' });
    expect(await known.json('/v1/2026-04-01..2026-04-28')).toMatchObject({ end_date: '2026-04-28' });
  });

  it('is written in chunks', async () => {
    const rates = Array.from(
      { length: 50_000 },
      (_, at) => [fromDayNumber(at), { USD: at, ZAR: 1 }] as const,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of encodePricesByDate(rates, { base: 'EUR' })) chunks.push(chunk);
    expect(JSON.parse(chunks.join(''))).toEqual({ base: 'EUR', rates: Object.fromEntries(rates) });
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.length).toBeLessThan(CHUNK_BYTES + 100);
  });
});

describe('the currencies of /v1 are those of the fourteen days up to the newest', () => {
  const three = ['ECB 2026-03-02 EUR/CHF 0.91', 'ECB 2026-03-03 EUR/GBP 0.86', 'ECB 2026-03-17 EUR/USD 1.2'];
  answers(routes, {
    '/v1/currencies': '{"EUR":"Euro","JPY":"Japanese Yen","USD":"United States Dollar"}',
  });
  answers(routesOn(three, NOW), {
    '/v1/currencies': '{"EUR":"Euro","GBP":"British Pound","USD":"United States Dollar"}',
  });
});

describe('the days in a path', () => {
  const unknown = expect.stringMatching(/^404 not found: use \/v1\/latest, .* or \/v2\/rates$/);
  const texts = ['soon', '2026-1-2', 'x2026-01-02', '2026-01-02x', '2026-01-02.', '..2026-01-02'];
  const unlike = (date: string) => `422 date: invalid date: ${date} is not in the calendar`;
  answers(routes, {
    ...Object.fromEntries([...texts, '2026-01-022026-01-03'].map((text) => [`/v1/${text}`, unknown])),
    // Those to come are the newest.
    '/v1/2026-04-28': NEWEST,
    '/v1/2026-04-28..2026-04-30': '404 not found: 2026-04-28 is in the future',
    '/v1/2026-03-17..2026-03-16': '404 not found: 2026-03-17 is after 2026-03-16',
    '/v1/2026-02-30': unlike('2026-02-30'),
    '/v1/2026-01-01..2026-02-30': unlike('2026-02-30'),
    '/v1/2026-13-01..': unlike('2026-13-01'),
  });
});

describe('a query of /v1', () => {
  const NONE = { amount: 1, base: 'EUR', symbols: undefined };

  it.each([
    ['', {}],
    ['?unknown=1', {}],
    // Codes are in any case, with spaces around them.
    ['?base=%20usd&symbols=gbp,%20Jpy,,', { base: 'USD', symbols: ['GBP', 'JPY'] }],
    ['?symbols=', { symbols: [] }],
    // The last of what is repeated counts, and the older names before the newer.
    ['?base=USD&base=GBP&symbols=A&symbols=B&amount=2&amount=3', { base: 'GBP', symbols: ['B'], amount: 3 }],
    ['?from=USD&base=GBP&to=JPY&symbols=CHF', { base: 'USD', symbols: ['JPY'] }],
    // An amount is the number that its text begins with.
    ['?amount=10.5x', { amount: 10.5 }],
    ['?amount=1_000_000', { amount: 1_000_000 }],
    ['?amount=1e30', { amount: 1e30 }],
    ['?amount=.5', { amount: 0.5 }],
    ['?amount=1__0', { amount: 1 }],
    ['?amount=1_x', { amount: 1 }],
    ['?base=USD&x=a?b&symbols=EUR', { base: 'USD', symbols: ['EUR'] }],
    ['?symbols=EUR?,USD', { symbols: ['EUR?', 'USD'] }],
  ])('%s', (query, expected) => {
    expect(v1Query.read(`/v1/latest${query}`)).toEqual({ ...NONE, ...expected });
  });

  answers(
    routes,
    Object.fromEntries(
      ['0', '-1', 'x', '', '_1', '1e999', '1e308', '5e-324'].map((text) => [
        `/v1/latest?amount=${text}`,
        `422 amount: invalid amount: ${text} (write a number from 1e-30 to 1e30)`,
      ]),
    ),
  );
});

it('/v1 names its successor', async () => {
  expect((await routes.ask('/v1/latest')).headers).toEqual({ link: '</v2/rates>; rel="successor-version"' });
});

describe('over HTTP', () => {
  answers(served(ROWS, NOW), {
    '/v1/latest': NEWEST,
    '/v2/rate/EUR': expect.stringMatching(/^404 /),
    '/v2/rates.xml': expect.stringMatching(/^404 /),
  });
});

describe('/v1/blend', () => {
  const blend = routesOn(
    [
      ...['ECB 2026-02-27 EUR/USD 1.1537', 'ECB 2026-03-02 EUR/USD 1.1546', 'BOE 2026-03-02 GBP/USD 1.3411'],
      ...['ECB 2026-03-03 EUR/USD 1.1601', 'ECB 2026-03-03 EUR/CHF 0.9123'],
    ],
    '2026-03-04T12:00:00Z',
  );
  const newest = day('2026-03-03', '"CHF":0.9123,"USD":1.1601');
  const interval =
    '{"amount":1,"base":"EUR","start_date":"2026-02-27","rates":{"2026-02-27":{"USD":1.1537},"2026-03-02":{"USD":1.1546},"2026-03-03":{"USD":1.1601}},"end_date":"2026-03-03"}';

  answers(blend, {
    // A day that has not come is the newest one; all currencies are those of the blend.
    ...Object.fromEntries(
      ['latest', 'current', '2030-01-01'].map((path) => [`/v1/blend/${path}?symbols=CHF,USD`, newest]),
    ),
    '/v1/blend/latest': expect.stringMatching(
      /"date":"2026-03-03","rates":\{"AED":.*"GBP":.*"XOF":655.957,"XPF":119.331742\}\}$/,
    ),
    '/v1/blend/currencies': expect.stringMatching(/^\{"AED":.*"EUR":"Euro",.*"XOF":"[^"]*Franc[^"]*"/),
    '/v1/blend/latest?from=usd&to=GBP,XXY':
      '{"amount":1,"base":"USD","date":"2026-03-02","rates":{"GBP":0.74566}}',
    '/v1/blend/2026-02-28?symbols=USD':
      '{"amount":1,"base":"EUR","date":"2026-02-27","rates":{"USD":1.1537}}',
    '/v1/blend/2026-02-01..?symbols=USD': interval,
    // Multiplied before it is rounded.
    '/v1/blend/latest?amount=250.5&symbols=GBP,USD':
      '{"amount":250.5,"base":"EUR","date":"2026-03-03","rates":{"GBP":215.66,"USD":290.61}}',
    '/v1/blend/latest?base=ZZZ': '404 not found: there is no currency ZZZ',
    '/v1/blend/latest?base=GBX':
      '404 not found: there is no currency GBX (GBX is a hundredth of GBP: use GBP here)',
    '/v1/blend/latest?symbols=ZZZ': '404 not found: there is no currency ZZZ',
    '/v1/blend/latest?base=USD&symbols=USD': '422 symbols: bad currency pair: base and symbols are both USD',
    '/v1/blend/2026-03-05..': '404 not found: 2026-03-05 is in the future',
    '/v1/blend/1999-01-04': '404 not found: there are no rates for these currencies and days',
    '/v1/blend/soon': expect.stringMatching(/^404 not found: use /),
  });
});
