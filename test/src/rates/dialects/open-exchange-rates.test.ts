import { describe, expect, it } from 'vitest';
import { daysOfCandles } from '../../../../src/rates/dialects/candles.js';
import { ask, json } from './in-process.js';

interface Body {
  base: string;
  timestamp: number;
  rates: Record<string, number>;
}

const TEXTS =
  '"disclaimer":"Rates of public sources, without any warranty","license":"The terms of each source are in /v2/providers"';
const lastSecond = (date: string) => Date.parse(`${date}T23:59:59Z`) / 1000;
const minified = async (target: string) =>
  (await ask(`/oxr/api/${target}${target.includes('?') ? '&' : '?'}prettyprint=0`)).text;

describe('the bodies of Open Exchange Rates', () => {
  it('have the newest rates', async () => {
    expect(await minified('latest.json?symbols=gbp,EUR')).toBe(
      `{${TEXTS},"timestamp":${lastSecond('2026-03-19')},"base":"USD","rates":{"EUR":0.866101,"GBP":0.751169}}`,
    );
    expect((await json<Body>('/oxr/api/latest.json?currencies=EUR')).rates).toEqual({ EUR: 0.866101 });
  });

  it('have the base among the rates, unless symbols leave it out', async () => {
    const { base, rates } = await json<Body>('/oxr/api/latest.json?base=eur');
    expect(base).toBe('EUR');
    expect(rates).toMatchObject({ AED: 4.240268, EUR: 1, IDR: 19543, XOF: 655.957 });
    expect(Object.keys(rates)).toEqual(Object.keys(rates).toSorted());
    expect((await json<Body>('/oxr/api/latest.json?symbols=EUR,USD')).rates).toEqual({
      EUR: 0.866101,
      USD: 1,
    });
    expect((await json<Body>('/oxr/api/latest.json?symbols=XXY,BTC')).rates).toEqual({});
  });

  it('have six decimals, or six significant digits of what is small', async () => {
    const { rates } = await json<Body>('/oxr/api/latest.json?base=IDR');
    expect(rates).toMatchObject({ EUR: 0.0000511293, USD: 0.0000590339, IDR: 1 });
  });

  it('have the rates of a day, or the last ones before it', async () => {
    const answer = await ask('/oxr/api/historical/2026-03-04.json?symbols=EUR&prettyprint=0');
    expect(answer.text).toBe(
      `{${TEXTS},"timestamp":${lastSecond('2026-03-04')},"base":"USD","rates":{"EUR":0.862069}}`,
    );
    expect(answer.headers).toEqual({ 'x-rates-as-of': '2026-03-04' });
    expect(answer.cacheControl).toMatch(/max-age=86400/);
    const today = await ask('/oxr/api/historical/2026-03-20.json');
    expect(JSON.parse(today.text)).toMatchObject({ timestamp: lastSecond('2026-03-19') });
    expect(today.cacheControl).toBe('public, max-age=300, stale-while-revalidate=60, stale-if-error=86400');
  });

  it('have the rates of each day, without days that have none', async () => {
    expect(await minified('time-series.json?start=2026-03-01&end=2026-03-03&symbols=EUR')).toBe(
      `{${TEXTS},"start_date":"2026-03-01","end_date":"2026-03-03","base":"USD",` +
        '"rates":{"2026-03-02":{"EUR":0.854847},"2026-03-03":{"EUR":0.862069}}}',
    );
    const open = await ask('/oxr/api/time-series.json?start=2026-03-19&end=2026-03-25&base=EUR&symbols=USD');
    expect(JSON.parse(open.text)).toMatchObject({
      end_date: '2026-03-25',
      rates: { '2026-03-19': { USD: 1.1546 }, '2026-03-20': { USD: 1.1546 } },
    });
    expect(open.cacheControl).toBe('public, max-age=300, stale-while-revalidate=60, stale-if-error=86400');
    const yen = await json<Body>('/oxr/api/time-series.json?start=2026-03-05&end=2026-03-06&symbols=JPY');
    expect(Object.keys(yen.rates)).toEqual(['2026-03-06']);
  });

  it('convert, by the rate as it is shown', async () => {
    expect(await minified('convert/100/eur/USD')).toBe(
      `{${TEXTS},"request":{"query":"/convert/100/EUR/USD","amount":100,"from":"EUR","to":"USD"},` +
        `"meta":{"timestamp":${lastSecond('2026-03-19')},"rate":1.1546},"response":115.46}`,
    );
    expect(await json('/oxr/api/convert/19999.95/USD/GBP')).toMatchObject({
      meta: { rate: 0.751169 },
      response: 15023.342442,
    });
    expect(await json('/oxr/api/convert/0.1/EUR/EUR')).toMatchObject({ meta: { rate: 1 }, response: 0.1 });
  });

  it.each([
    [
      '1d',
      '2026-03-02',
      '2026-03-02',
      { open: 1.1698, high: 1.1698, low: 1.1698, close: 1.1698, average: 1.1698 },
    ],
    // Days without rates have those of the day before: 1.1698, 1.16 three times, 1.1561 three times.
    [
      '1w',
      '2026-03-02',
      '2026-03-08',
      { open: 1.1698, high: 1.1698, low: 1.1561, close: 1.1561, average: 1.159729 },
    ],
    [
      '1d',
      '2026-03-08',
      '2026-03-08',
      { open: 1.1561, high: 1.1561, low: 1.1561, close: 1.1561, average: 1.1561 },
    ],
    // It ends today: 1.1537, and 1.1546 twice.
    [
      '1mo',
      '2026-03-18',
      '2026-04-17',
      { open: 1.1537, high: 1.1546, low: 1.1537, close: 1.1546, average: 1.1543 },
    ],
  ])('have a candle of %s from %s to %s', async (period, from, to, USD) => {
    const target = `ohlc.json?start_time=${from}T00:00:00Z&period=${period}&base=EUR&symbols=USD`;
    expect(await minified(target)).toBe(
      `{${TEXTS},"start_time":"${from}T00:00:00Z","end_time":"${to}T23:59:59Z","base":"EUR",` +
        `"rates":${JSON.stringify({ USD })}}`,
    );
  });

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
    const target = '/oxr/api/ohlc.json?start_time=2026-03-02T00:00:00Z&period=1w&base=EUR&symbols=XOF';
    const peg = 655.957;
    expect(await json(target)).toMatchObject({
      rates: { XOF: { open: peg, high: peg, low: peg, close: peg, average: peg } },
    });
  });

  it('name the currencies that have rates, or all', async () => {
    const current = await json('/oxr/api/currencies.json');
    expect(current).toMatchObject({ AED: 'United Arab Emirates Dirham', EUR: 'Euro' });
    expect(current).not.toHaveProperty('DEM');
    const all = await json('/oxr/api/currencies.json?show_inactive=1');
    expect(all).toMatchObject({ ...current, DEM: 'Deutsche Mark' });
    expect(Object.keys(all)).toEqual(Object.keys(all).toSorted());
  });

  it('say that all may be used, without a limit', async () => {
    expect(await minified('usage.json')).toBe(
      '{"status":200,"data":{"app_id":"-","status":"active","plan":{"name":"Almanac","quota":"unlimited",' +
        '"update_frequency":"86400s","features":{"base":true,"symbols":true,"experimental":false,' +
        '"time-series":true,"convert":true}},"usage":{"requests":0,"requests_quota":-1,"requests_remaining":-1,' +
        '"days_elapsed":19,"days_remaining":12,"daily_average":0}}}',
    );
  });

  it('have no alternative rates', async () => {
    for (const target of ['latest.json?', 'time-series.json?start=2026-03-02&end=2026-03-03&']) {
      expect((await json<Body>(`/oxr/api/${target}only_alternative=1`)).rates).toEqual({});
    }
    const shown = (flag: string) => minified(`latest.json?show_alternative=${flag}`);
    expect(await shown('1')).toBe(await shown('0'));
    expect(await json('/oxr/api/currencies.json?only_alternative=true&show_inactive=1')).toEqual({});
  });
});

describe('the form of its bodies', () => {
  it('is indented by two, or minified', async () => {
    const { text, type } = await ask('/oxr/api/latest.json?symbols=EUR');
    expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
    expect(type).toBe('application/json; charset=utf-8');
    for (const off of ['0', 'false', 'FALSE']) {
      expect((await ask(`/oxr/api/latest.json?symbols=EUR&prettyprint=${off}`)).text).toBe(
        JSON.stringify(JSON.parse(text)),
      );
    }
    for (const on of ['1', 'true', '', 'x']) {
      expect((await ask(`/oxr/api/latest.json?symbols=EUR&prettyprint=${on}`)).text).toBe(text);
    }
  });

  it('is a script where a callback is named', async () => {
    const plain = (await ask('/oxr/api/latest.json?symbols=EUR')).text;
    for (const callback of ['show', '$a.b_1', 'a'.repeat(64)]) {
      const { text, type } = await ask(`/oxr/api/latest.json?symbols=EUR&callback=${callback}`);
      expect(text).toBe(`/**/${callback}(${plain})`);
      expect(type).toBe('application/javascript; charset=utf-8');
    }
    for (const callback of ['1a', 'alert(1)', 'a'.repeat(65), 'a-b', '%3Cscript%3E', '']) {
      expect((await ask(`/oxr/api/latest.json?symbols=EUR&callback=${callback}`)).text).toBe(plain);
    }
  });

  it('takes the last of several, spaces, and what it does not know', async () => {
    const target = '/oxr/api/latest.json?base_currency=X&base=GBP&base=+eur+&symbols=+usd%20,,gbp&base=';
    // The last base is empty, and so absent.
    expect(await json<Body>(target)).toMatchObject({ base: 'USD', rates: { GBP: 0.751169, USD: 1 } });
    expect(await json<Body>('/oxr/api/latest.json?base=GBP&base=+eur+&symbols=usd')).toMatchObject({
      base: 'EUR',
    });
  });
});

describe('the errors of Open Exchange Rates', () => {
  it('have the status of the response', async () => {
    const { text, status, cacheControl } = await ask('/oxr/api/latest.json?base=XXY');
    expect(status).toBe(400);
    expect(cacheControl).toBe('no-store');
    expect(text).toBe(
      JSON.stringify(
        { error: true, status: 400, message: 'invalid_base', description: 'no such currency: XXY' },
        null,
        2,
      ),
    );
    expect((await ask('/oxr/api/latest.json?base=XXY&prettyprint=0&callback=f')).text).toMatch(
      /^\/\*\*\/f\(\{"error":true,.*\}\)$/,
    );
  });

  it.each([
    [400, 'invalid_base', 'latest.json?base=XXY'],
    [400, 'invalid_base', 'latest.json?base=HRK'],
    [400, 'invalid_base', 'historical/2026-03-04.json?base=JPY'],
    [400, 'invalid_base', 'time-series.json?start=2026-03-02&end=2026-03-03&base=JPY'],
    [400, 'not_available', 'historical/2026-03-01.json'],
    [400, 'not_available', 'historical/1998-01-01.json'],
    [400, 'not_available', 'historical/2026-03-21.json'],
    [400, 'not_available', 'time-series.json?start=2026-03-21&end=2026-03-22'],
    [400, 'not_available', 'time-series.json?start=2025-03-21&end=2025-03-22'],
    [400, 'not_available', 'ohlc.json?start_time=2026-03-21T00:00:00Z&period=1d'],
    [400, 'not_available', 'ohlc.json?start_time=9999-12-31T00:00:00Z&period=1mo'],
    [400, 'invalid_date', 'historical/2026-02-30.json'],
    [400, 'invalid_date', 'historical/today.json'],
    [400, 'invalid_date_range', 'time-series.json'],
    [400, 'invalid_date_range', 'time-series.json?start=2026-03-02'],
    [400, 'invalid_date_range', 'time-series.json?end=2026-03-02'],
    [400, 'invalid_date_range', 'time-series.json?start=2026-02-30&end=2026-03-02'],
    [400, 'invalid_date_range', 'time-series.json?start=2026-03-03&end=2026-03-02'],
    [400, 'invalid_date_range', 'time-series.json?start=2025-03-01&end=2026-03-02'],
    [400, 'invalid_value', 'convert/ten/EUR/USD'],
    [400, 'invalid_currency', 'convert/10/XXY/USD'],
    [400, 'invalid_currency', 'convert/10/EUR/XXY'],
    [400, 'invalid_currency', 'convert/10/HRK/USD'],
    [400, 'invalid_currency', 'convert/10/EUR/HRK'],
    [400, 'invalid_start_time', 'ohlc.json?period=1d'],
    [400, 'invalid_start_time', 'ohlc.json?start_time=2026-03-02T00:30:00Z&period=1d'],
    [400, 'invalid_start_time', 'ohlc.json?start_time=2026-02-30T00:00:00Z&period=1d'],
    [400, 'invalid_start_time', 'ohlc.json?start_time=2026-03-02&period=1d'],
    [400, 'invalid_period_for_start_time', 'ohlc.json?start_time=2026-03-02T00:00:00Z'],
    [400, 'invalid_period_for_start_time', 'ohlc.json?start_time=2026-03-02T00:00:00Z&period=30m'],
    [403, 'not_allowed', 'latest.json?show_bid_ask=1'],
    [403, 'not_allowed', 'historical/2026-03-04.json?show_bid_ask=true'],
    [403, 'not_allowed', 'convert/10/EUR/USD?show_bid_ask=1'],
  ])('are %s %s for %s', async (status, message, target) => {
    const answer = await ask(`/oxr/api/${target}`);
    expect(answer.cacheControl).toBe('no-store');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({ error: true, status, message, description: answer.message });
    expect(answer.message).toMatch(/\w/);
  });

  it('are none for 366 days', async () => {
    const { start_date } = await json(
      '/oxr/api/time-series.json?start=2025-03-02&end=2026-03-02&symbols=EUR',
    );
    expect(start_date).toBe('2025-03-02');
  });
});
