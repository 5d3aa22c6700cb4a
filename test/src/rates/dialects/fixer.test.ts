import { describe, expect, it } from 'vitest';
import { ask, json } from './in-process.js';

const lastSecond = (date: string) => Date.parse(`${date}T23:59:59Z`) / 1000;
const newest = lastSecond('2026-03-19');
const text = async (target: string) => (await ask(`/fixer/${target}`)).text;

describe("Fixer's bodies", () => {
  it('have the newest rates', async () => {
    expect(await text('latest?symbols=USD,gbp')).toBe(
      `{"success":true,"timestamp":${newest},"base":"EUR","date":"2026-03-19","rates":{"GBP":0.8673,"USD":1.1546}}`,
    );
    expect(await text('latest?base=USD&symbols=EUR')).toBe(
      `{"success":true,"timestamp":${newest},"base":"USD","date":"2026-03-19","rates":{"EUR":0.866101}}`,
    );
  });

  it('have the base among the rates, unless symbols leave it out', async () => {
    const { rates } = await json<{ rates: object }>('/fixer/latest');
    expect(rates).toMatchObject({ EUR: 1, USD: 1.1546, XOF: 655.957 });
    expect(Object.keys(rates)).toEqual(Object.keys(rates).toSorted());
    expect(await json('/fixer/latest?symbols=USD,EUR,XXY')).toMatchObject({ rates: { EUR: 1, USD: 1.1546 } });
    expect(await text('latest?symbols=HRK')).toContain('"rates":{}}');
  });

  it('have the rates of a day, which is the one that was asked for', async () => {
    const { text, headers, cacheControl } = await ask('/fixer/2026-03-04?symbols=USD');
    expect(text).toBe(
      `{"success":true,"timestamp":${lastSecond('2026-03-04')},"historical":true,"base":"EUR","date":"2026-03-04",` +
        '"rates":{"USD":1.16}}',
    );
    expect(headers).toEqual({ 'x-rates-as-of': '2026-03-04' });
    expect(cacheControl).toMatch(/max-age=86400/);
  });

  it('convert, by the rate as it is shown', async () => {
    expect(await text('convert?from=eur&to=USD&amount=25')).toBe(
      `{"success":true,"query":{"from":"EUR","to":"USD","amount":25},"info":{"timestamp":${newest},"rate":1.1546},` +
        '"date":"2026-03-19","result":28.865}',
    );
    expect(await text('convert?from=EUR&to=USD&amount=2.5e1&date=2026-03-04&places=2&source=ecb')).toBe(
      `{"success":true,"query":{"from":"EUR","to":"USD","amount":25},"info":{"timestamp":${lastSecond('2026-03-04')},` +
        '"rate":1.16},"date":"2026-03-04","historical":true,"result":29}',
    );
    expect(await json('/fixer/convert?from=USD&to=GBP&amount=19999.95')).toMatchObject({
      result: 15023.342442,
    });
    expect(await json('/fixer/convert?from=EUR&to=EUR&amount=-0.1')).toMatchObject({ result: -0.1 });
  });

  it('have the rates of each day, without days that have none', async () => {
    expect(await text('timeseries?start_date=2026-03-01&end_date=2026-03-03&symbols=USD,EUR')).toBe(
      '{"success":true,"timeseries":true,"start_date":"2026-03-01","end_date":"2026-03-03","base":"EUR",' +
        '"rates":{"2026-03-02":{"EUR":1,"USD":1.1698},"2026-03-03":{"EUR":1,"USD":1.16}}}',
    );
    const open = await ask('/fixer/timeseries?start_date=2026-03-20&end_date=2026-04-03&symbols=USD');
    expect(JSON.parse(open.text)).toMatchObject({
      end_date: '2026-04-03',
      rates: { '2026-03-20': { USD: 1.1546 } },
    });
    expect(open.cacheControl).toBe('public, max-age=300, stale-while-revalidate=60, stale-if-error=86400');
  });

  it('have the changes between two days', async () => {
    expect(await text('fluctuation?start_date=2026-03-02&end_date=2026-03-19&symbols=USD,GBP,JPY,EUR')).toBe(
      '{"success":true,"fluctuation":true,"start_date":"2026-03-02","end_date":"2026-03-19","base":"EUR","rates":{' +
        '"EUR":{"start_rate":1,"end_rate":1,"change":0,"change_pct":0},' +
        '"GBP":{"start_rate":0.87,"end_rate":0.8673,"change":-0.0027,"change_pct":-0.3103},' +
        '"USD":{"start_rate":1.1698,"end_rate":1.1546,"change":-0.0152,"change_pct":-1.2994}}}',
    );
    const open = '/fixer/fluctuation?start_date=2026-03-19&end_date=2026-04-19&symbols=USD';
    expect(await json(open)).toMatchObject({ rates: { USD: { end_rate: 1.1546, change: 0 } } });
  });

  it('name the currencies', async () => {
    const { success, symbols } = await json<{ success: boolean; symbols: object }>('/fixer/symbols');
    expect(success).toBe(true);
    expect(symbols).toMatchObject({ AED: 'United Arab Emirates Dirham', EUR: 'Euro' });
  });

  it.each([
    'latest',
    '2026-03-04',
    'convert?from=EUR&to=USD&amount=1',
    'timeseries?start_date=2026-03-02&end_date=2026-03-03',
    'fluctuation?start_date=2026-03-02&end_date=2026-03-03',
    'symbols',
  ])('are the same for %s in all folders, indented, or called', async (target) => {
    const plain = await text(target);
    expect(await text(`api/${target}`)).toBe(plain);
    expect(await text(`v1/${target}`)).toBe(plain);
    const and = target.includes('?') ? '&' : '?';
    expect(await text(`${target}${and}format=1`)).toBe(JSON.stringify(JSON.parse(plain), null, 2));
    expect(await text(`${target}${and}format=0&access_key=1`)).toBe(plain);
    const called = await ask(`/fixer/${target}${and}callback=show`);
    expect(called.text).toBe(`/**/show(${plain})`);
    expect(called.type).toBe('application/javascript; charset=utf-8');
  });
});

describe("Fixer's errors", () => {
  it('have status 200, as clients read no other body', async () => {
    const { text, status, cacheControl } = await ask('/fixer/latest?base=XXY');
    expect(status).toBe(200);
    expect(cacheControl).toBe('no-store');
    expect(text).toBe(
      '{"success":false,"error":{"code":201,"type":"invalid_base_currency","info":"no such currency: XXY"}}',
    );
    expect((await ask('/fixer/latest?base=XXY&format=1&callback=f')).text).toMatch(
      /^\/\*\*\/f\(\{\n {2}"success"/,
    );
  });

  it.each([
    [404, 103, 'invalid_api_function', 'newest'],
    [404, 103, 'invalid_api_function', 'api/newest'],
    [200, 106, 'no_rates_available', '2025-03-04'],
    [200, 106, 'no_rates_available', 'timeseries?start_date=2025-03-01&end_date=2025-03-02'],
    [200, 106, 'no_rates_available', 'timeseries?start_date=2026-03-21&end_date=2026-03-22'],
    [200, 106, 'no_rates_available', 'fluctuation?start_date=2026-03-01&end_date=2026-03-02'],
    [200, 106, 'no_rates_available', 'fluctuation?start_date=2026-03-21&end_date=2026-03-22'],
    [200, 106, 'no_rates_available', 'convert?from=EUR&to=USD&amount=1&date=2025-03-04'],
    [200, 201, 'invalid_base_currency', 'latest?base=HRK'],
    [200, 201, 'invalid_base_currency', '2026-03-04?base=JPY'],
    [200, 201, 'invalid_base_currency', 'timeseries?start_date=2026-03-02&end_date=2026-03-03&base=JPY'],
    [200, 201, 'invalid_base_currency', 'fluctuation?start_date=2026-03-02&end_date=2026-03-09&base=JPY'],
    [200, 202, 'invalid_currency_codes', 'latest?symbols=XXY,BTC'],
    [200, 302, 'invalid_date', '2026-02-30'],
    [200, 302, 'invalid_date', '2026-3-4'],
    [200, 302, 'invalid_date', '2026-03-21'],
    [200, 302, 'invalid_date', 'convert?from=EUR&to=USD&amount=1&date=2026-03-21'],
    [200, 401, 'invalid_from_currency', 'convert?to=USD&amount=1'],
    [200, 401, 'invalid_from_currency', 'convert?from=XXY&to=USD&amount=1'],
    [200, 401, 'invalid_from_currency', 'convert?from=HRK&to=USD&amount=1'],
    [200, 402, 'invalid_to_currency', 'convert?from=EUR&amount=1'],
    [200, 402, 'invalid_to_currency', 'convert?from=EUR&to=XXY&amount=1'],
    [200, 402, 'invalid_to_currency', 'convert?from=EUR&to=HRK&amount=1'],
    [200, 403, 'invalid_conversion_amount', 'convert?from=EUR&to=USD'],
    [200, 403, 'invalid_conversion_amount', 'convert?from=EUR&to=USD&amount=ten'],
    [200, 501, 'no_timeframe_supplied', 'timeseries'],
    [200, 501, 'no_timeframe_supplied', 'timeseries?start_date=2026-03-02'],
    [200, 501, 'no_timeframe_supplied', 'fluctuation?end_date=2026-03-02'],
    [200, 502, 'invalid_start_date', 'timeseries?start_date=2026-02-30&end_date=2026-03-02'],
    [200, 503, 'invalid_end_date', 'timeseries?start_date=2026-02-03&end_date=2026-02-30'],
    [200, 504, 'invalid_time_frame', 'fluctuation?start_date=2026-03-03&end_date=2026-03-02'],
    [200, 505, 'time_frame_too_long', 'timeseries?start_date=2025-03-01&end_date=2026-03-02'],
  ])('are %s %s %s for %s', async (status, code, type, target) => {
    const answer = await ask(`/fixer/${target}`);
    expect(answer.status).toBe(status);
    expect(answer.cacheControl).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({ success: false, error: { code, type, info: answer.message } });
    expect(answer.message).toMatch(/\w/);
  });

  it('are none for 366 days', async () => {
    const target = '/fixer/timeseries?start_date=2025-03-02&end_date=2026-03-02&symbols=USD';
    expect(await json(target)).toMatchObject({ rates: { '2026-03-02': { USD: 1.1698 } } });
  });
});
