import { describe, expect, it } from 'vitest';
import { answers } from '../routes/golden.js';
import { ask, json, lastSecond, refuses, routes } from './in-process.js';

// Fixer and currencylayer: one company, and one form of errors.

const NEWEST = `"timestamp":${lastSecond('2026-03-19')}`;
const MARCH_4 = `"timestamp":${lastSecond('2026-03-04')}`;
const TERMS =
  '{"success":true,"terms":"Rates of public sources, without any warranty",' +
  '"privacy":"No key is needed, and none is kept",';
const text = async (target: string) => (await ask(target)).text;

describe("Fixer's bodies", () => {
  const QUERY = '{"success":true,"query":{"from":"EUR","to":"USD","amount":25}';
  answers(routes, {
    '/fixer/latest?symbols=USD,gbp': `{"success":true,${NEWEST},"base":"EUR","date":"2026-03-19","rates":{"GBP":0.8673,"USD":1.1546}}`,
    '/fixer/latest?base=USD&symbols=EUR': `{"success":true,${NEWEST},"base":"USD","date":"2026-03-19","rates":{"EUR":0.866101}}`,
    '/fixer/latest?symbols=USD,EUR,XXY': `{"success":true,${NEWEST},"base":"EUR","date":"2026-03-19","rates":{"EUR":1,"USD":1.1546}}`,
    '/fixer/latest?symbols=HRK': expect.stringContaining('"rates":{}}'),
    '/fixer/2026-03-04?symbols=USD': `{"success":true,${MARCH_4},"historical":true,"base":"EUR","date":"2026-03-04","rates":{"USD":1.16}}`,
    '/fixer/convert?from=eur&to=USD&amount=25': `${QUERY},"info":{${NEWEST},"rate":1.1546},"date":"2026-03-19","result":28.865}`,
    '/fixer/convert?from=EUR&to=USD&amount=2.5e1&date=2026-03-04&places=2&source=ecb': `${QUERY},"info":{${MARCH_4},"rate":1.16},"date":"2026-03-04","historical":true,"result":29}`,
    '/fixer/convert?from=USD&to=GBP&amount=19999.95': expect.stringContaining('"result":15023.342442}'),
    '/fixer/convert?from=EUR&to=EUR&amount=-0.1': expect.stringContaining('"result":-0.1}'),
    // Without days that have none.
    '/fixer/timeseries?start_date=2026-03-01&end_date=2026-03-03&symbols=USD,EUR':
      '{"success":true,"timeseries":true,"start_date":"2026-03-01","end_date":"2026-03-03","base":"EUR",' +
      '"rates":{"2026-03-02":{"EUR":1,"USD":1.1698},"2026-03-03":{"EUR":1,"USD":1.16}}}',
    '/fixer/fluctuation?start_date=2026-03-02&end_date=2026-03-19&symbols=USD,GBP,JPY,EUR':
      '{"success":true,"fluctuation":true,"start_date":"2026-03-02","end_date":"2026-03-19","base":"EUR","rates":{' +
      '"EUR":{"start_rate":1,"end_rate":1,"change":0,"change_pct":0},' +
      '"GBP":{"start_rate":0.87,"end_rate":0.8673,"change":-0.0027,"change_pct":-0.3103},' +
      '"USD":{"start_rate":1.1698,"end_rate":1.1546,"change":-0.0152,"change_pct":-1.2994}}}',
    '/fixer/fluctuation?start_date=2026-03-19&end_date=2026-04-19&symbols=USD': expect.stringMatching(
      /"end_rate":1.1546,"change":0,/,
    ),
    '/fixer/timeseries?start_date=2026-03-20&end_date=2026-04-03&symbols=USD': expect.stringContaining(
      '"end_date":"2026-04-03","base":"EUR","rates":{"2026-03-20":{"USD":1.1546}}',
    ),
    '/fixer/symbols': expect.stringMatching(
      /^\{"success":true,"symbols":\{"AED":"United Arab Emirates Dirham",/,
    ),
  });

  it('have their rates by code', async () => {
    const codes = Object.keys((await json<{ rates: object }>('/fixer/latest')).rates);
    expect(codes).toEqual(codes.toSorted());
  });
});

describe("currencylayer's bodies", () => {
  const QUERY = `${TERMS}"query":{"from":"EUR","to":"USD","amount":25}`;
  answers(routes, {
    '/currencylayer/live?currencies=gbp,EUR': `${TERMS}${NEWEST},"source":"USD","quotes":{"USDEUR":0.866101,"USDGBP":0.751169}}`,
    '/currencylayer/live': expect.stringMatching(/"quotes":\{"USDAED":3.6725,.*"USDUSD":1[,}]/),
    '/currencylayer/historical?date=2026-03-04&currencies=EUR': `${TERMS}"historical":true,"date":"2026-03-04",${MARCH_4},"source":"USD","quotes":{"USDEUR":0.862069}}`,
    '/currencylayer/convert?from=EUR&to=usd&amount=25': `${QUERY},"info":{${NEWEST},"quote":1.1546},"result":28.865}`,
    '/currencylayer/convert?from=EUR&to=USD&amount=25&date=2026-03-04': `${QUERY},"info":{${MARCH_4},"quote":1.16},"historical":true,"date":"2026-03-04","result":29}`,
    '/currencylayer/timeframe?start_date=2026-03-02&end_date=2026-03-03&currencies=EUR': `${TERMS}"timeframe":true,"start_date":"2026-03-02","end_date":"2026-03-03","source":"USD","quotes":{"2026-03-02":{"USDEUR":0.854847},"2026-03-03":{"USDEUR":0.862069}}}`,
    '/currencylayer/change?start_date=2026-03-06&end_date=2026-03-19&currencies=GBP,AED':
      `${TERMS}"change":true,"start_date":"2026-03-06","end_date":"2026-03-19","source":"USD","quotes":{` +
      '"USDAED":{"start_rate":3.6725,"end_rate":3.6725,"change":0,"change_pct":0},' +
      '"USDGBP":{"start_rate":0.749719,"end_rate":0.751169,"change":0.0015,"change_pct":0.1935}}}',
    '/currencylayer/list': expect.stringContaining(
      `${TERMS}"currencies":{"AED":"United Arab Emirates Dirham",`,
    ),
  });
});

const CONVERT = 'convert?from=EUR&to=USD&amount=1';
const MARCH = 'start_date=2026-03-02&end_date=2026-03-03';
it.each([
  ...['latest', '2026-03-04', CONVERT, `timeseries?${MARCH}`, `fluctuation?${MARCH}`, 'symbols'].map(
    (target) => ['fixer', target] as const,
  ),
  ...['live', 'historical?date=2026-03-04', CONVERT, `timeframe?${MARCH}`, `change?${MARCH}`, 'list'].map(
    (target) => ['currencylayer', target] as const,
  ),
])('%s/%s is the same in all folders, indented, or called', async (service, target) => {
  const path = `/${service}/${target}`;
  const plain = await text(path);
  for (const folder of service === 'fixer' ? ['api', 'v1'] : ['api'])
    expect(await text(`/${service}/${folder}/${target}`)).toBe(plain);
  const and = target.includes('?') ? '&' : '?';
  expect(await text(`${path}${and}format=1`)).toBe(JSON.stringify(JSON.parse(plain), null, 2));
  expect(await text(`${path}${and}format=0&access_key=1`)).toBe(plain);
  expect(await ask(`${path}${and}callback=show`)).toMatchObject({
    text: `/**/show(${plain})`,
    type: 'application/javascript; charset=utf-8',
  });
});

describe('errors have status 200, as clients read no other body', () => {
  answers(routes, {
    '/fixer/latest?base=XXY':
      '{"success":false,"error":{"code":201,"type":"invalid_base_currency","info":"no such currency: XXY"}}',
    '/fixer/latest?base=XXY&format=1&callback=f': expect.stringMatching(/^\/\*\*\/f\(\{\n {2}"success"/),
  });

  const YEAR = 'start_date=2025-03-01&end_date=2026-03-02';
  const EARLY = 'start_date=2025-03-01&end_date=2025-03-02';
  const LATE = 'start_date=2026-03-21&end_date=2026-03-22';
  const BACK = 'start_date=2026-03-03&end_date=2026-03-02';
  const AMOUNT = 'fixer/convert?from=EUR&to=USD&amount=';
  refuses(
    [
      ['404 103 invalid_api_function', 'fixer/newest', 'fixer/api/newest'],
      ['200 106 no_rates_available', 'fixer/2025-03-04', 'currencylayer/historical?date=2025-03-04'],
      ['200 106 no_rates_available', `fixer/timeseries?${EARLY}`, `currencylayer/timeframe?${LATE}`],
      ['200 106 no_rates_available', 'fixer/fluctuation?start_date=2026-03-01&end_date=2026-03-02'],
      ['200 106 no_rates_available', `fixer/fluctuation?${LATE}`, `${AMOUNT}1&date=2025-03-04`],
      ['200 201 invalid_base_currency', 'fixer/latest?base=HRK', 'fixer/2026-03-04?base=JPY'],
      ['200 201 invalid_base_currency', `fixer/timeseries?${MARCH}&base=JPY`],
      ['200 201 invalid_base_currency', `currencylayer/change?${MARCH}&source=JPY`],
      ['200 201 invalid_base_currency', 'currencylayer/live?source=XXY'],
      ['200 202 invalid_currency_codes', 'fixer/latest?symbols=XXY,BTC', 'currencylayer/live?currencies=XXY'],
      ['200 301 no_date_supplied', 'currencylayer/historical', 'currencylayer/historical?date='],
      ['200 302 invalid_date', 'fixer/2026-02-30', 'fixer/2026-3-4', 'fixer/2026-03-21'],
      ['200 302 invalid_date', 'currencylayer/historical?date=2026-03-21', `${AMOUNT}1&date=2026-03-21`],
      ['200 401 invalid_from_currency', 'fixer/convert?to=USD&amount=1'],
      ['200 401 invalid_from_currency', 'fixer/convert?from=XXY&to=USD&amount=1'],
      ['200 401 invalid_from_currency', 'currencylayer/convert?from=HRK&to=USD&amount=1'],
      ['200 402 invalid_to_currency', 'fixer/convert?from=EUR&amount=1'],
      ['200 402 invalid_to_currency', 'fixer/convert?from=EUR&to=HRK&amount=1'],
      ['200 402 invalid_to_currency', 'currencylayer/convert?from=EUR&to=XXY&amount=1'],
      ['200 403 invalid_conversion_amount', 'fixer/convert?from=EUR&to=USD', `${AMOUNT}ten`],
      ['200 501 no_timeframe_supplied', 'fixer/timeseries', 'fixer/timeseries?start_date=2026-03-02'],
      ['200 501 no_timeframe_supplied', 'fixer/fluctuation?end_date=2026-03-02', 'currencylayer/timeframe'],
      ['200 502 invalid_start_date', 'fixer/timeseries?start_date=2026-02-30&end_date=2026-03-02'],
      ['200 503 invalid_end_date', 'currencylayer/change?start_date=2026-03-02&end_date=x'],
      ['200 504 invalid_time_frame', `fixer/fluctuation?${BACK}`],
      ['200 505 time_frame_too_long', `fixer/timeseries?${YEAR}`, `currencylayer/timeframe?${YEAR}`],
    ],
    (_, [code, type], info) => ({ success: false, error: { code: Number(code), type, info } }),
  );

  it('and are none for 366 days', async () => {
    const target = '/fixer/timeseries?start_date=2025-03-02&end_date=2026-03-02&symbols=USD';
    expect(await json(target)).toMatchObject({ rates: { '2026-03-02': { USD: 1.1698 } } });
  });
});
