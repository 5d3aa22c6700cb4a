import { describe, expect, it } from 'vitest';
import { daysOfCandles } from '../../../../src/rates/dialects/open-exchange-rates.js';
import { answers } from '../routes/golden.js';
import { ask, json, lastSecond, refuses, routes } from './in-process.js';

const TEXTS =
  '{"disclaimer":"Rates of public sources, without any warranty","license":"The terms of each source are in /v2/providers"';
const NEWEST = `"timestamp":${lastSecond('2026-03-19')}`;

describe('the bodies of Open Exchange Rates', () => {
  answers(routes, {
    '/oxr/api/latest.json?symbols=gbp,EUR&prettyprint=0': `${TEXTS},${NEWEST},"base":"USD","rates":{"EUR":0.866101,"GBP":0.751169}}`,
    '/oxr/api/time-series.json?start=2026-03-01&end=2026-03-03&symbols=EUR&prettyprint=0':
      `${TEXTS},"start_date":"2026-03-01","end_date":"2026-03-03","base":"USD",` +
      '"rates":{"2026-03-02":{"EUR":0.854847},"2026-03-03":{"EUR":0.862069}}}',
    // Of a day, they are the last ones up to it.
    '/oxr/api/historical/2026-03-04.json?symbols=EUR&prettyprint=0': `${TEXTS},"timestamp":${lastSecond('2026-03-04')},"base":"USD","rates":{"EUR":0.862069}}`,
    '/oxr/api/historical/2026-03-20.json?symbols=EUR&prettyprint=0': `${TEXTS},${NEWEST},"base":"USD","rates":{"EUR":0.866101}}`,
    '/oxr/api/time-series.json?start=2026-03-20&end=2026-03-25&base=EUR&symbols=USD&prettyprint=0': `${TEXTS},"start_date":"2026-03-20","end_date":"2026-03-25","base":"EUR","rates":{"2026-03-20":{"USD":1.1546}}}`,
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
    ['time-series.json?start=2026-03-05&end=2026-03-06&symbols=JPY', { '2026-03-06': { JPY: 157.711271 } }],
  ])('have for %s the rates %j', async (target, rates) => {
    expect((await json<{ rates: object }>(`/oxr/api/${target}`)).rates).toEqual(rates);
  });

  const PEG = 655.957;
  it.each([
    ['1d', '2026-03-02', '2026-03-02', 'USD', [1.1698, 1.1698, 1.1698, 1.1698, 1.1698]],
    // Days without rates have those of the day before: 1.1698, 1.16 three times, 1.1561 three times.
    ['1w', '2026-03-02', '2026-03-08', 'USD', [1.1698, 1.1698, 1.1561, 1.1561, 1.159729]],
    ['1d', '2026-03-08', '2026-03-08', 'USD', [1.1561, 1.1561, 1.1561, 1.1561, 1.1561]],
    // It ends today: 1.1537, and 1.1546 twice.
    ['1mo', '2026-03-18', '2026-04-17', 'USD', [1.1537, 1.1546, 1.1537, 1.1546, 1.1543]],
    ['1w', '2026-03-02', '2026-03-08', 'XOF', [PEG, PEG, PEG, PEG, PEG]],
  ] as const)('have a candle of %s from %s to %s of %s', async (period, from, to, code, figures) => {
    const target = `start_time=${from}T00:00:00Z&period=${period}&base=EUR&symbols=${code}&prettyprint=0`;
    const [open, high, low, close, average] = figures;
    expect((await ask(`/oxr/api/ohlc.json?${target}`)).text).toBe(
      `${TEXTS},"start_time":"${from}T00:00:00Z","end_time":"${to}T23:59:59Z","base":"EUR",` +
        `"rates":${JSON.stringify({ [code]: { open, high, low, close, average } })}}`,
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

  it('name the currencies that have rates, or all', async () => {
    const named = (query: string) => json(`/oxr/api/currencies.json?${query}`);
    const current = await named('');
    expect(current).toMatchObject({ AED: 'United Arab Emirates Dirham', EUR: 'Euro' });
    expect(current).not.toHaveProperty('DEM');
    const all = await named('show_inactive=1');
    expect(all).toMatchObject({ ...current, DEM: 'Deutsche Mark' });
    expect(Object.keys(all)).toEqual(Object.keys(all).toSorted());
    expect(await named('only_alternative=true&show_inactive=1')).toEqual({});
  });
});

describe('the form of its bodies', () => {
  const LATEST = '/oxr/api/latest.json?symbols=EUR';

  it('is indented by two, or minified', async () => {
    const body = JSON.parse((await ask(LATEST)).text);
    const [indented, minified] = [JSON.stringify(body, null, 2), JSON.stringify(body)];
    for (const flag of ['', '&prettyprint=1', '&prettyprint=true', '&prettyprint=', '&prettyprint=x'])
      expect((await ask(LATEST + flag)).text).toBe(indented);
    for (const flag of ['0', 'false', 'FALSE'])
      expect((await ask(`${LATEST}&prettyprint=${flag}`)).text).toBe(minified);
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
  it('are written as other bodies are', async () => {
    const description = 'no such currency: XXY';
    const expected = { error: true, status: 400, message: 'invalid_base', description };
    const WRONG = '/oxr/api/latest.json?base=XXY';
    expect((await ask(WRONG)).text).toBe(JSON.stringify(expected, null, 2));
    expect((await ask(`${WRONG}&prettyprint=0&callback=f`)).text).toBe(`/**/f(${JSON.stringify(expected)})`);
  });

  const TIME = 'oxr/api/ohlc.json?start_time=';
  const DAYS = 'oxr/api/time-series.json?';
  const CONVERT = 'oxr/api/convert/10';
  refuses(
    [
      ['400 invalid_base', 'oxr/api/latest.json?base=XXY', 'oxr/api/latest.json?base=HRK'],
      ['400 invalid_base', 'oxr/api/historical/2026-03-04.json?base=JPY'],
      ['400 invalid_base', `${DAYS}start=2026-03-02&end=2026-03-03&base=JPY`],
      ['400 not_available', 'oxr/api/historical/1998-01-01.json', 'oxr/api/historical/2026-03-21.json'],
      [
        '400 not_available',
        `${DAYS}start=2026-03-21&end=2026-03-22`,
        `${DAYS}start=2025-03-21&end=2025-03-22`,
      ],
      [
        '400 not_available',
        `${TIME}2026-03-21T00:00:00Z&period=1d`,
        `${TIME}9999-12-31T00:00:00Z&period=1mo`,
      ],
      ['400 invalid_date', 'oxr/api/historical/2026-02-30.json', 'oxr/api/historical/today.json'],
      ['400 invalid_date_range', `${DAYS}start=2026-03-02`, `${DAYS}end=2026-03-02`],
      ['400 invalid_date_range', `${DAYS}start=2026-02-30&end=2026-03-02`],
      ['400 invalid_date_range', `${DAYS}start=2026-03-03&end=2026-03-02`],
      ['400 invalid_date_range', `${DAYS}start=2025-03-01&end=2026-03-02`],
      ['400 invalid_value', 'oxr/api/convert/ten/EUR/USD'],
      ['400 invalid_currency', `${CONVERT}/XXY/USD`, `${CONVERT}/EUR/XXY`, `${CONVERT}/HRK/USD`],
      ['400 invalid_currency', `${CONVERT}/EUR/HRK`],
      ['400 invalid_start_time', 'oxr/api/ohlc.json?period=1d', `${TIME}2026-03-02&period=1d`],
      ['400 invalid_start_time', `${TIME}2026-03-02T00:30:00Z&period=1d`],
      ['400 invalid_start_time', `${TIME}2026-02-30T00:00:00Z&period=1d`],
      ['400 invalid_period_for_start_time', `${TIME}2026-03-02T00:00:00Z`],
      ['400 invalid_period_for_start_time', `${TIME}2026-03-02T00:00:00Z&period=30m`],
      ['403 not_allowed', 'oxr/api/latest.json?show_bid_ask=1', `${CONVERT}/EUR/USD?show_bid_ask=1`],
      ['403 not_allowed', 'oxr/api/historical/2026-03-04.json?show_bid_ask=true'],
    ],
    (status, [message], description) => ({ error: true, status, message, description }),
  );

  it('are none for 366 days', async () => {
    const target = '/oxr/api/time-series.json?start=2025-03-02&end=2026-03-02&symbols=EUR';
    expect(await json(target)).toMatchObject({ start_date: '2025-03-02' });
  });
});
