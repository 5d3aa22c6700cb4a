import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import { DialectError } from '../../../../src/rates/dialects/dialect.js';
import { dialectErrorForms } from '../../../../src/rates/dialects/dialects.js';
import { answers } from '../routes/golden.js';
import { ask, json, routes } from './in-process.js';

const links = '"documentation":"/docs","terms_of_use":"/providers"';
const times =
  '"time_last_update_unix":1773964799,"time_last_update_utc":"Thu, 19 Mar 2026 23:59:59 +0000",' +
  '"time_next_update_unix":1774051200,"time_next_update_utc":"Sat, 21 Mar 2026 00:00:00 +0000"';
const PAIR = `{"result":"success",${links},${times},"base_code":"EUR","target_code":`;

describe('responses as those of ExchangeRate-API', () => {
  const LATEST = `{"result":"success","provider":"Almanac",${links},${times},"time_eol_unix":0`;
  const DAY = `{"result":"success",${links},"year":2026,"month":3,"day":6,"base_code":"EUR"`;
  const OLD = '{"provider":"Almanac","terms":"/providers","base":"EUR","date":"2026-03-19"';
  it.each([
    ['/er/v6/latest/EUR', `${LATEST},"base_code":"EUR","rates":RATES}`],
    [
      '/er/v6/-/latest/eur',
      `{"result":"success",${links},${times},"base_code":"EUR","conversion_rates":RATES}`,
    ],
    ['/er/v6/-/pair/EUR/USD', `${PAIR}"USD","conversion_rate":1.1546}`],
    ['/er/v6/-/pair/eur/usd/33.3335', `${PAIR}"USD","conversion_rate":1.1546,"conversion_result":38.486859}`],
    ['/er/v6/-/pair/EUR/EUR/1e3', `${PAIR}"EUR","conversion_rate":1,"conversion_result":1000}`],
    ['/er/v6/-/history/EUR/2026/3/6', `${DAY},"conversion_rates":RATES}`],
    ['/er/v4/latest/EUR', `${OLD},"time_last_updated":1773964799,"rates":RATES}`],
  ])('%s', async (path, expected) => {
    expect((await ask(path)).text.replace(/(?<=rates":)\{[^}]*\}/, 'RATES')).toBe(expected);
  });

  it('have the base first, then the others by code', async () => {
    const [first, ...others] = Object.keys((await json<{ rates: object }>('/er/v6/latest/USD')).rates);
    expect([first, others]).toEqual(['USD', others.filter((code) => code !== 'USD').toSorted()]);
  });

  it('name the currencies that have rates', async () => {
    const { supported_codes: codes, ...rest } = await json('/er/v6/-/codes');
    expect(rest).toEqual({ result: 'success', documentation: '/docs', terms_of_use: '/providers' });
    expect(codes).toContainEqual(['AED', 'United Arab Emirates Dirham']);
    expect(codes).not.toContainEqual(['HRK', expect.anything()]);
  });
});

describe('errors as those of ExchangeRate-API', () => {
  answers(routes, {
    '/er/v6/latest/XXY': '404 no rates for XXY',
    '/er/v6/latest/HRK': '404 no rates for HRK',
    '/er/v6/-/latest/BTC': '404 no rates for BTC',
    '/er/v6/-/pair/EUR/XXY': '404 no rates for XXY',
    '/er/v6/-/pair/EUR/HRK': '404 no rates for HRK',
    '/er/v6/-/pair/EUR/USD/ten': '400 invalid: ten',
    '/er/v6/-/history/EUR/2026/2/30': '400 invalid: 2026-02-30',
    '/er/v6/-/history/EUR/2026/3/21': '404 no rates on 2026-03-21',
    '/er/v6/-/history/EUR/2020/3/6': '404 no rates on 2020-03-06',
  });

  it.each([
    [new DialectError(404, 'unsupported-code', ''), 'unsupported-code'],
    [new DialectError(404, 'no-data-available', ''), 'no-data-available'],
    [new HttpError(400, ''), 'malformed-request'],
  ])('%s is of a type', (error, type) => {
    const { content, status } = dialectErrorForms.get('er')?.(error, { headers: {} }) ?? {};
    expect([`${content?.body}`, status]).toEqual([`{"result":"error","error-type":"${type}"}`, undefined]);
  });
});
