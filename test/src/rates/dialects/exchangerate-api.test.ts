import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import { DialectError } from '../../../../src/rates/dialects/dialect.js';
import { exchangerateApi } from '../../../../src/rates/dialects/exchangerate-api.js';
import { unsupported } from '../../../../src/rates/dialects/exchangerate-api-errors.js';
import { ask, json } from './in-process.js';

const links = '"documentation":"/docs","terms_of_use":"/providers"';
const times =
  '"time_last_update_unix":1773964799,"time_last_update_utc":"Thu, 19 Mar 2026 23:59:59 +0000",' +
  '"time_next_update_unix":1774051200,"time_next_update_utc":"Sat, 21 Mar 2026 00:00:00 +0000"';

interface Body {
  rates: Record<string, number>;
  conversion_rates: Record<string, number>;
}

/** A response with its rates in one word. */
async function shape(path: string): Promise<string> {
  const { text } = await ask(path);
  return text.replace(/(?<=rates":)\{[^}]*\}/, 'RATES');
}

describe('responses as those of ExchangeRate-API', () => {
  it.each([
    [
      '/er/v6/latest/EUR',
      `{"result":"success","provider":"Almanac",${links},${times},"time_eol_unix":0,"base_code":"EUR","rates":RATES}`,
    ],
    [
      '/er/v6/-/latest/EUR',
      `{"result":"success",${links},${times},"base_code":"EUR","conversion_rates":RATES}`,
    ],
    [
      '/er/v6/-/pair/EUR/USD',
      `{"result":"success",${links},${times},"base_code":"EUR","target_code":"USD","conversion_rate":1.1546}`,
    ],
    [
      '/er/v6/-/pair/eur/usd/33.3335',
      `{"result":"success",${links},${times},"base_code":"EUR","target_code":"USD","conversion_rate":1.1546,"conversion_result":38.486859}`,
    ],
    [
      '/er/v6/-/pair/EUR/EUR/1e3',
      `{"result":"success",${links},${times},"base_code":"EUR","target_code":"EUR","conversion_rate":1,"conversion_result":1000}`,
    ],
    [
      '/er/v6/-/history/EUR/2026/3/6',
      `{"result":"success",${links},"year":2026,"month":3,"day":6,"base_code":"EUR","conversion_rates":RATES}`,
    ],
    [
      '/er/v4/latest/EUR',
      '{"provider":"Almanac","terms":"/providers","base":"EUR","date":"2026-03-19","time_last_updated":1773964799,"rates":RATES}',
    ],
  ])('%s', async (path, expected) => {
    expect(await shape(path)).toBe(expected);
  });

  it('have the base first, then the others by code, with six decimals or six digits', async () => {
    for (const path of ['/er/v6/latest/USD', '/er/v6/-/latest/usd', '/er/v4/latest/USD']) {
      const { rates, conversion_rates: found = rates } = await json<Body>(path);
      const [first, ...others] = Object.keys(found);
      expect(first).toBe('USD');
      expect(others).toEqual(others.toSorted());
      expect(others).not.toContain('USD');
      expect(found).toMatchObject({ USD: 1, AED: 3.6725, EUR: 0.866101, GBP: 0.751169 });
    }
    expect((await json<Body>('/er/v4/latest/IDR')).rates).toMatchObject({ EUR: 0.0000511293 });
  });

  it('have the newest rates of the 14 days up to a day in the past', async () => {
    const path = (month: string, day: string) => `/er/v6/-/history/EUR/2026/${month}/${day}`;
    const { conversion_rates: found } = await json<Body>(path('3', '8'));
    expect(found).toMatchObject({ EUR: 1, USD: 1.1561, GBP: 0.86675 });
    expect((await ask(path('03', '08'))).text).toBe((await ask(path('3', '8'))).text);
    expect((await ask(path('3', '8'))).cacheControl).toContain('max-age=86400');
    expect((await ask(path('3', '8'))).headers).toMatchObject({ 'x-rates-as-of': '2026-03-08' });
  });

  it('name the currencies that have rates', async () => {
    const { text } = await ask('/er/v6/-/codes');
    expect(text).toMatch(
      /^\{"result":"success","documentation":"\/docs","terms_of_use":"\/providers","supported_codes":\[\["AED","United Arab Emirates Dirham"\],/,
    );
    const { supported_codes: codes } = JSON.parse(text) as { supported_codes: [string, string][] };
    expect(codes).toContainEqual(['EUR', 'Euro']);
    expect(codes).not.toContainEqual(['HRK', expect.anything()]);
  });
});

describe('errors as those of ExchangeRate-API', () => {
  it.each([
    ['/er/v6/latest/XXY', 404, 'no rates of XXY'],
    ['/er/v6/latest/HRK', 404, 'no rates of HRK'],
    ['/er/v6/-/latest/BTC', 404, 'no rates of BTC'],
    ['/er/v6/-/pair/EUR/XXY', 404, 'no rates of XXY'],
    ['/er/v6/-/pair/EUR/HRK', 404, 'no rates of HRK'],
    ['/er/v6/-/pair/EUR/USD/ten', 400, 'invalid: ten'],
    ['/er/v6/-/history/EUR/2026/2/30', 400, 'invalid: 2026-02-30'],
    ['/er/v6/-/history/EUR/2026/3/21', 404, 'no rates on 2026-03-21'],
    ['/er/v6/-/history/EUR/2020/3/6', 404, 'no rates on 2020-03-06'],
  ])('%s', async (path, status, message) => {
    expect(await ask(path)).toMatchObject({ status, message, cacheControl: 'no-store' });
  });

  it.each([
    [unsupported('XXY'), 'unsupported-code'],
    [new DialectError(404, 'no-data-available', ''), 'no-data-available'],
    [new HttpError(404, 'nothing at /er'), 'malformed-request'],
    [new HttpError(405, ''), 'malformed-request'],
    [new HttpError(400, ''), 'malformed-request'],
    [new HttpError(429, ''), 'quota-reached'],
    [new HttpError(500, ''), 'no-data-available'],
    [new HttpError(503, ''), 'no-data-available'],
  ])('%s is of a type', (error, type) => {
    const { content, status } = exchangerateApi.errorForm?.(error, { headers: {} }) ?? {};
    expect(`${content?.body}`).toBe(`{"result":"error","error-type":"${type}"}`);
    expect(status).toBeUndefined();
  });
});
