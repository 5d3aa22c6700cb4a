import { describe, expect, it } from 'vitest';
import { ask, json } from './in-process.js';

const FIRST =
  '{"success":true,"terms":"Rates of public sources, without any warranty",' +
  '"privacy":"No key is needed, and none is kept",';
const lastSecond = (date: string) => Date.parse(`${date}T23:59:59Z`) / 1000;
const newest = lastSecond('2026-03-19');
const text = async (target: string) => (await ask(`/currencylayer/${target}`)).text;

describe("currencylayer's bodies", () => {
  it('have the newest rates, in pairs', async () => {
    expect(await text('live?currencies=gbp,EUR')).toBe(
      `${FIRST}"timestamp":${newest},"source":"USD","quotes":{"USDEUR":0.866101,"USDGBP":0.751169}}`,
    );
    const { quotes } = await json<{ quotes: object }>('/currencylayer/live?source=eur');
    expect(quotes).toMatchObject({ EUREUR: 1, EURUSD: 1.1546, EURXOF: 655.957 });
    expect(await json('/currencylayer/live')).toMatchObject({ quotes: { USDAED: 3.6725, USDUSD: 1 } });
    expect(Object.keys(quotes)).toEqual(Object.keys(quotes).toSorted());
  });

  it('have the rates of a day', async () => {
    expect(await text('historical?date=2026-03-04&currencies=EUR')).toBe(
      `${FIRST}"historical":true,"date":"2026-03-04","timestamp":${lastSecond('2026-03-04')},"source":"USD",` +
        '"quotes":{"USDEUR":0.862069}}',
    );
  });

  it('convert, by the rate as it is shown', async () => {
    expect(await text('convert?from=EUR&to=usd&amount=25')).toBe(
      `${FIRST}"query":{"from":"EUR","to":"USD","amount":25},"info":{"timestamp":${newest},"quote":1.1546},` +
        '"result":28.865}',
    );
    expect(await text('convert?from=EUR&to=USD&amount=25&date=2026-03-04')).toBe(
      `${FIRST}"query":{"from":"EUR","to":"USD","amount":25},"info":{"timestamp":${lastSecond('2026-03-04')},` +
        '"quote":1.16},"historical":true,"date":"2026-03-04","result":29}',
    );
  });

  it('have the rates of each day', async () => {
    expect(await text('timeframe?start_date=2026-03-02&end_date=2026-03-03&currencies=EUR')).toBe(
      `${FIRST}"timeframe":true,"start_date":"2026-03-02","end_date":"2026-03-03","source":"USD",` +
        '"quotes":{"2026-03-02":{"USDEUR":0.854847},"2026-03-03":{"USDEUR":0.862069}}}',
    );
  });

  it('have the changes between two days', async () => {
    expect(await text('change?start_date=2026-03-18&end_date=2026-03-19&currencies=EUR,AED')).toBe(
      `${FIRST}"change":true,"start_date":"2026-03-18","end_date":"2026-03-19","source":"USD","quotes":{` +
        '"USDAED":{"start_rate":3.6725,"end_rate":3.6725,"change":0,"change_pct":0},' +
        '"USDEUR":{"start_rate":0.866776,"end_rate":0.866101,"change":-0.0007,"change_pct":-0.0779}}}',
    );
  });

  it('name the currencies', async () => {
    const list = await text('list');
    expect(list).toContain(`${FIRST}"currencies":{"AED":"United Arab Emirates Dirham",`);
  });

  it.each([
    'live',
    'historical?date=2026-03-04',
    'convert?from=EUR&to=USD&amount=1',
    'timeframe?start_date=2026-03-02&end_date=2026-03-03',
    'change?start_date=2026-03-02&end_date=2026-03-03',
    'list',
  ])('are the same for %s in both folders, indented, or called', async (target) => {
    const plain = await text(target);
    expect(await text(`api/${target}`)).toBe(plain);
    const and = target.includes('?') ? '&' : '?';
    expect(await text(`${target}${and}format=1`)).toBe(JSON.stringify(JSON.parse(plain), null, 2));
    expect(await text(`${target}${and}callback=show`)).toBe(`/**/show(${plain})`);
  });
});

describe("currencylayer's errors", () => {
  it.each([
    [106, 'no_rates_available', 'historical?date=2025-03-04'],
    [106, 'no_rates_available', 'timeframe?start_date=2026-03-21&end_date=2026-03-22'],
    [201, 'invalid_base_currency', 'live?source=XXY'],
    [201, 'invalid_base_currency', 'change?start_date=2026-03-02&end_date=2026-03-03&source=JPY'],
    [202, 'invalid_currency_codes', 'live?currencies=XXY'],
    [301, 'no_date_supplied', 'historical'],
    [301, 'no_date_supplied', 'historical?date='],
    [302, 'invalid_date', 'historical?date=2026-02-30'],
    [302, 'invalid_date', 'historical?date=2026-03-21'],
    [401, 'invalid_from_currency', 'convert?from=XXY&to=USD&amount=1'],
    [402, 'invalid_to_currency', 'convert?from=EUR&to=XXY&amount=1'],
    [403, 'invalid_conversion_amount', 'convert?from=EUR&to=USD&amount=1,5'],
    [501, 'no_timeframe_supplied', 'timeframe'],
    [502, 'invalid_start_date', 'timeframe?start_date=x&end_date=2026-03-02'],
    [503, 'invalid_end_date', 'change?start_date=2026-03-02&end_date=x'],
    [504, 'invalid_time_frame', 'timeframe?start_date=2026-03-03&end_date=2026-03-02'],
    [505, 'time_frame_too_long', 'timeframe?start_date=2025-03-01&end_date=2026-03-02'],
  ])('are %s %s for %s, with status 200', async (code, type, target) => {
    const answer = await ask(`/currencylayer/${target}`);
    expect(answer.status).toBe(200);
    expect(answer.cacheControl).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({ success: false, error: { code, type, info: answer.message } });
  });
});
