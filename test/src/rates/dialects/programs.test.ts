import { beforeAll, expect, it } from 'vitest';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';

// The requests that programs send, by the host that they send them to, and what they read of the response. The programs
// themselves are not run.

const ROWS = [
  ...['ECB 2026-03-06 EUR/USD 1.1561', 'ECB 2026-03-06 EUR/GBP 0.86675'],
  ...['ECB 2026-03-09 EUR/USD 1.17', 'ECB 2026-03-09 EUR/GBP 0.868'],
];
const row = (date: string, base: string, quote: string, rate: number) => ({ date, base, quote, rate });
const FRIDAY = row('2026-03-06', 'EUR', 'USD', 1.1561);
const MONDAY = row('2026-03-09', 'EUR', 'USD', 1.17);
const DOLLARS = /<Cube currency=['"]USD['"] rate=['"]1\.17/;
const FILES = '/ecb/stats/eurofxref/eurofxref';

let url: string;
beforeAll(async () => {
  ({ url } = await sharedApi(rowsOf(ROWS), { now: '2026-03-10T18:00:00Z' }));
});

it.each<[program: string, target: string, read: unknown]>([
  [
    'Sure',
    '/frankfurter/v2/currencies',
    expect.arrayContaining([expect.objectContaining({ iso_code: 'EUR' })]),
  ],
  ['Sure', '/frankfurter/v2/rate/EUR/USD?date=2026-03-08', FRIDAY],
  ['Sure', '/frankfurter/v2/rates?base=EUR&from=2026-03-06&quotes=USD&to=2026-03-09', [FRIDAY, MONDAY]],
  [
    'Sure, older',
    '/frankfurter/v1/2026-02-26..2026-03-08?from=EUR&to=USD',
    expect.objectContaining({ rates: { '2026-03-06': { USD: 1.1561 } } }),
  ],
  [
    'worksome/exchange',
    '/frankfurter/v2/rates?base=USD&quotes=EUR%2CGBP',
    [row('2026-03-09', 'USD', 'EUR', 0.8547), row('2026-03-09', 'USD', 'GBP', 0.74188)],
  ],
  [
    'WYGIWYH',
    '/frankfurter/v1/latest?base=USD&symbols=EUR%2CGBP',
    expect.objectContaining({ rates: { EUR: 0.8547, GBP: 0.74188 } }),
  ],
  [
    'abrechnung',
    '/frankfurter/v2/rates?date=2026-03-06&base=EUR',
    expect.arrayContaining([FRIDAY, row('2026-03-06', 'EUR', 'GBP', 0.86675)]),
  ],
  ['Finance::Quote, Frankfurter', '/frankfurter/v2/rate/USD/GBP', row('2026-03-09', 'USD', 'GBP', 0.74188)],
  [
    'Wallos',
    '/fixer/api/latest?access_key=any&base=EUR&symbols=EUR,USD',
    expect.objectContaining({ rates: { EUR: 1, USD: 1.17 } }),
  ],
  [
    'Wallos',
    '/fixer/latest?base=EUR&symbols=EUR,USD',
    expect.objectContaining({ rates: { EUR: 1, USD: 1.17 } }),
  ],
  [
    'Dolibarr',
    '/currencylayer/live?access_key=any&source=EUR',
    expect.objectContaining({ success: true, quotes: expect.objectContaining({ EURUSD: 1.17 }) }),
  ],
  [
    'Invoice Ninja',
    '/oxr/api/latest.json?app_id=any',
    expect.objectContaining({ base: 'USD', rates: expect.objectContaining({ EUR: 0.854701 }) }),
  ],
  ['Moneta', `${FILES}-daily.xml`, expect.stringMatching(DOLLARS)],
  ['Moneta', `${FILES}-hist-90d.xml`, expect.stringMatching(DOLLARS)],
  ['Moneta', `${FILES}-hist.xml`, expect.stringMatching(DOLLARS)],
  ['CurrencyConverter', `${FILES}-hist.zip`, expect.stringMatching(/^PK.*eurofxref-hist\.csv/s)],
  ['CurrencyConverter', `${FILES}.zip`, expect.stringMatching(/^PK.*eurofxref\.csv/s)],
  // The children of the envelope are read by their number.
  ["Odoo's currency_rate_live", `${FILES}-daily.xml`, expect.stringMatching(/subject>.*Sender>.*<Cube>/s)],
  ["OCA's currency_rate_update", `${FILES}-hist-90d.xml`, expect.stringMatching(/time="2026-03-06"/)],
  ['Finance::Quote, ECB', `${FILES}-daily.xml`, expect.stringMatching(DOLLARS)],
])('%s: %s', async (_, target, read) => {
  const response = await fetch(url + target, { headers: { accept: 'application/json' } });
  expect(response.status).toBe(200);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  expect(await (isJson ? response.json() : response.text())).toEqual(read);
});
