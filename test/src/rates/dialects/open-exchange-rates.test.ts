import { describe, expect, it } from 'vitest';
import { daysOfCandles } from '../../../../src/rates/dialects/candles.js';
import { answers } from '../routes/golden.js';
import { ask, json, routes } from './in-process.js';

interface Body {
  rates: Record<string, number>;
}

const TEXTS =
  '{"disclaimer":"Rates of public sources, without any warranty","license":"The terms of each source are in /v2/providers"';
const lastSecond = (date: string) => Date.parse(`${date}T23:59:59Z`) / 1000;
const NEWEST = `"timestamp":${lastSecond('2026-03-19')}`;
const MOVING = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400';
const ratesOf = async (target: string) => (await json<Body>(`/oxr/api/${target}`)).rates;

describe('the bodies of Open Exchange Rates', () => {
  answers(routes, {
    '/oxr/api/latest.json?symbols=gbp,EUR&prettyprint=0': `${TEXTS},${NEWEST},"base":"USD","rates":{"EUR":0.866101,"GBP":0.751169}}`,
    '/oxr/api/time-series.json?start=2026-03-01&end=2026-03-03&symbols=EUR&prettyprint=0':
      `${TEXTS},"start_date":"2026-03-01","end_date":"2026-03-03","base":"USD",` +
      '"rates":{"2026-03-02":{"EUR":0.854847},"2026-03-03":{"EUR":0.862069}}}',
    '/oxr/api/convert/100/eur/USD?prettyprint=0':
      `${TEXTS},"request":{"query":"/convert/100/EUR/USD","amount":100,"from":"EUR","to":"USD"},` +
      `"meta":{${NEWEST},"rate":1.1546},"response":115.46}`,
    '/oxr/api/convert/19999.95/USD/GBP?prettyprint=0': expect.stringMatching(
      /"rate":0.751169\},"response":15023.342442\}$/,
    ),
    '/oxr/api/convert/0.1/EUR/EUR?prettyprint=0': expect.stringMatching(/"rate":1\},"response":0.1\}$/),
    '/oxr/api/usage.json?prettyprint=0':
      '{"status":200,"data":{"app_id":"-","status":"active","plan":{"name":"Almanac","quota":"unlimited",' +
      '"update_frequency":"86400s","features":{"base":true,"symbols":true,"experimental":false,' +
      '"time-series":true,"convert":true}},"usage":{"requests":0,"requests_quota":-1,"requests_remaining":-1,' +
      '"days_elapsed":19,"days_remaining":12,"daily_average":0}}}',
  });

  it.each([
    ['latest.json?currencies=EUR', { EUR: 0.866101 }],
    // Symbols may leave the base out.
    ['latest.json?symbols=EUR,USD', { EUR: 0.866101, USD: 1 }],
    ['latest.json?symbols=XXY,BTC', {}],
    // There are no alternative rates.
    ['latest.json?only_alternative=1', {}],
    ['time-series.json?start=2026-03-02&end=2026-03-03&only_alternative=1', {}],
    // Days that have none are left out.
    [
      'time-series.json?start=2026-03-05&end=2026-03-06&symbols=JPY',
      { '2026-03-06': { JPY: expect.any(Number) } },
    ],
  ])('have for %s the rates %j', async (target, rates) => {
    expect(await ratesOf(target)).toEqual(rates);
  });

  it('have the base among the rates, with six decimals or six significant digits of what is small', async () => {
    const ofEuro = await ratesOf('latest.json?base=eur');
    expect(ofEuro).toMatchObject({ AED: 4.240268, EUR: 1, IDR: 19543, XOF: 655.957 });
    expect(Object.keys(ofEuro)).toEqual(Object.keys(ofEuro).toSorted());
    expect(await ratesOf('latest.json?base=IDR')).toMatchObject({
      EUR: 0.0000511293,
      USD: 0.0000590339,
      IDR: 1,
    });
    expect(await ratesOf('latest.json?show_alternative=1')).toEqual(await ratesOf('latest.json'));
  });

  it('have the rates of a day, or the last ones before it', async () => {
    const answer = await ask('/oxr/api/historical/2026-03-04.json?symbols=EUR&prettyprint=0');
    expect(answer.text).toBe(
      `${TEXTS},"timestamp":${lastSecond('2026-03-04')},"base":"USD","rates":{"EUR":0.862069}}`,
    );
    expect(answer.headers).toEqual({ 'x-rates-as-of': '2026-03-04' });
    expect(answer.cacheControl).toMatch(/max-age=86400/);
    const today = await ask('/oxr/api/historical/2026-03-20.json');
    expect(JSON.parse(today.text)).toMatchObject({ timestamp: lastSecond('2026-03-19') });
    expect(today.cacheControl).toBe(MOVING);
  });

  it('of days of which some are to come are moving', async () => {
    const open = await ask('/oxr/api/time-series.json?start=2026-03-19&end=2026-03-25&base=EUR&symbols=USD');
    expect(JSON.parse(open.text)).toMatchObject({
      end_date: '2026-03-25',
      rates: { '2026-03-19': { USD: 1.1546 }, '2026-03-20': { USD: 1.1546 } },
    });
    expect(open.cacheControl).toBe(MOVING);
  });

  it.each([
    ['1d', '2026-03-02', '2026-03-02', [1.1698, 1.1698, 1.1698, 1.1698, 1.1698]],
    // Days without rates have those of the day before: 1.1698, 1.16 three times, 1.1561 three times.
    ['1w', '2026-03-02', '2026-03-08', [1.1698, 1.1698, 1.1561, 1.1561, 1.159729]],
    ['1d', '2026-03-08', '2026-03-08', [1.1561, 1.1561, 1.1561, 1.1561, 1.1561]],
    // It ends today: 1.1537, and 1.1546 twice.
    ['1mo', '2026-03-18', '2026-04-17', [1.1537, 1.1546, 1.1537, 1.1546, 1.1543]],
  ] as const)(
    'have a candle of %s from %s to %s',
    async (period, from, to, [open, high, low, close, average]) => {
      const target = `start_time=${from}T00:00:00Z&period=${period}&base=EUR&symbols=USD&prettyprint=0`;
      expect((await ask(`/oxr/api/ohlc.json?${target}`)).text).toBe(
        `${TEXTS},"start_time":"${from}T00:00:00Z","end_time":"${to}T23:59:59Z","base":"EUR",` +
          `"rates":${JSON.stringify({ USD: { open, high, low, close, average } })}}`,
      );
    },
  );

  it.each([
    ['2026-01-31', '2026-02-27'],
    ['2025-12-31', '2026-01-30'],
    ['2024-01-30', '2024-02-28'],
    ['2026-02-28', '2026-03-27'],
  ])('have a month from %s to %s', (from, to) => {
    const query = { start_time: `${from}T00:00:00Z`, period: '1mo' };
    expect(daysOfCandles(query, '2026-03-20')).toEqual({ from, to });
  });

  it('keep the digits of a peg in a candle', async () => {
    const target = 'ohlc.json?start_time=2026-03-02T00:00:00Z&period=1w&base=EUR&symbols=XOF';
    const peg = 655.957;
    expect(await ratesOf(target)).toEqual({
      XOF: { open: peg, high: peg, low: peg, close: peg, average: peg },
    });
  });

  it('name the currencies that have rates, or all', async () => {
    const current = await json('/oxr/api/currencies.json');
    expect(current).toMatchObject({ AED: 'United Arab Emirates Dirham', EUR: 'Euro' });
    expect(current).not.toHaveProperty('DEM');
    const all = await json('/oxr/api/currencies.json?show_inactive=1');
    expect(all).toMatchObject({ ...current, DEM: 'Deutsche Mark' });
    expect(Object.keys(all)).toEqual(Object.keys(all).toSorted());
    expect(await json('/oxr/api/currencies.json?only_alternative=true&show_inactive=1')).toEqual({});
  });
});

describe('the form of its bodies', () => {
  const LATEST = '/oxr/api/latest.json?symbols=EUR';

  it('is indented by two, or minified', async () => {
    const { text, type } = await ask(LATEST);
    expect([text, type]).toEqual([
      JSON.stringify(JSON.parse(text), null, 2),
      'application/json; charset=utf-8',
    ]);
    const shown = async (flag: string) => (await ask(`${LATEST}&prettyprint=${flag}`)).text;
    for (const off of ['0', 'false', 'FALSE'])
      expect(await shown(off)).toBe(JSON.stringify(JSON.parse(text)));
    for (const on of ['1', 'true', '', 'x']) expect(await shown(on)).toBe(text);
  });

  it('is a script where a callback is named', async () => {
    const plain = (await ask(LATEST)).text;
    for (const callback of ['show', '$a.b_1', 'a'.repeat(64)])
      expect(await ask(`${LATEST}&callback=${callback}`)).toMatchObject({
        text: `/**/${callback}(${plain})`,
        type: 'application/javascript; charset=utf-8',
      });
    for (const callback of ['1a', 'alert(1)', 'a'.repeat(65), 'a-b', '%3Cscript%3E', ''])
      expect((await ask(`${LATEST}&callback=${callback}`)).text).toBe(plain);
  });

  it('takes the last of several, spaces, and what it does not know', async () => {
    const target = '/oxr/api/latest.json?base_currency=X&base=GBP&base=+eur+&symbols=+usd%20,,gbp';
    expect(await json(target)).toMatchObject({ base: 'EUR', rates: { USD: 1.1546, GBP: 0.8673 } });
    // The last base is empty, and so absent.
    expect(await json(`${target}&base=`)).toMatchObject({ base: 'USD', rates: { GBP: 0.751169, USD: 1 } });
  });
});

describe('the errors of Open Exchange Rates', () => {
  it('have the status of the response', async () => {
    const { text } = await ask('/oxr/api/latest.json?base=XXY');
    const expected = {
      error: true,
      status: 400,
      message: 'invalid_base',
      description: 'no such currency: XXY',
    };
    expect(text).toBe(JSON.stringify(expected, null, 2));
    const called = await ask('/oxr/api/latest.json?base=XXY&prettyprint=0&callback=f');
    expect(called.text).toBe(`/**/f(${JSON.stringify(expected)})`);
  });

  const DAY = 'start_time=2026-03-02T00:00:00Z';
  it.each([
    [400, 'invalid_base', ['latest.json?base=XXY', 'latest.json?base=HRK']],
    [400, 'invalid_base', ['historical/2026-03-04.json?base=JPY']],
    [400, 'invalid_base', ['time-series.json?start=2026-03-02&end=2026-03-03&base=JPY']],
    [400, 'not_available', ['historical/1998-01-01.json', 'historical/2026-03-21.json']],
    [400, 'not_available', ['time-series.json?start=2026-03-21&end=2026-03-22']],
    [400, 'not_available', ['time-series.json?start=2025-03-21&end=2025-03-22']],
    [400, 'not_available', ['ohlc.json?start_time=2026-03-21T00:00:00Z&period=1d']],
    [400, 'not_available', ['ohlc.json?start_time=9999-12-31T00:00:00Z&period=1mo']],
    [400, 'invalid_date', ['historical/2026-02-30.json', 'historical/today.json']],
    [400, 'invalid_date_range', ['time-series.json?start=2026-03-02', 'time-series.json?end=2026-03-02']],
    [400, 'invalid_date_range', ['time-series.json?start=2026-02-30&end=2026-03-02']],
    [400, 'invalid_date_range', ['time-series.json?start=2026-03-03&end=2026-03-02']],
    [400, 'invalid_date_range', ['time-series.json?start=2025-03-01&end=2026-03-02']],
    [400, 'invalid_value', ['convert/ten/EUR/USD']],
    [400, 'invalid_currency', ['convert/10/XXY/USD', 'convert/10/EUR/XXY']],
    [400, 'invalid_currency', ['convert/10/HRK/USD', 'convert/10/EUR/HRK']],
    [400, 'invalid_start_time', ['ohlc.json?period=1d', 'ohlc.json?start_time=2026-03-02&period=1d']],
    [400, 'invalid_start_time', ['ohlc.json?start_time=2026-03-02T00:30:00Z&period=1d']],
    [400, 'invalid_start_time', ['ohlc.json?start_time=2026-02-30T00:00:00Z&period=1d']],
    [400, 'invalid_period_for_start_time', [`ohlc.json?${DAY}`, `ohlc.json?${DAY}&period=30m`]],
    [403, 'not_allowed', ['latest.json?show_bid_ask=1', 'convert/10/EUR/USD?show_bid_ask=1']],
    [403, 'not_allowed', ['historical/2026-03-04.json?show_bid_ask=true']],
  ])('are %s %s for %j', async (status, message, targets) => {
    for (const target of targets) {
      const { message: description, ...answer } = await ask(`/oxr/api/${target}`);
      expect([target, answer.status, answer.cacheControl]).toEqual([target, status, 'no-store']);
      expect(JSON.parse(answer.text)).toEqual({ error: true, status, message, description });
      expect(description).toMatch(/\w/);
    }
  });

  it('are none for 366 days', async () => {
    const target = '/oxr/api/time-series.json?start=2025-03-02&end=2026-03-02&symbols=EUR';
    expect(await json(target)).toMatchObject({ start_date: '2025-03-02' });
  });
});
