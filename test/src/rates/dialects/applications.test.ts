import { expect, it } from 'vitest';
import { dialectErrorForms, dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { openRoutes } from '../routes/in-process.js';

// Programs that can't be run here are asked for: each test sends the request that the program sends, with all parameters and
// the headers that matter, and reads of the response what the program reads.

const rows = ['2026-03-16', '2026-03-19'].flatMap((date) =>
  ['USD 1.1546', 'GBP 0.8673', 'INR 108', 'CNY 8', 'JPY 182.33'].map((quote) => `ECB ${date} EUR/${quote}`),
);
const { ask, json } = openRoutes({
  recorded: [{ at: '2026-03-20T10:00:00Z', rows }],
  now: '2026-03-20T18:00:00Z',
  others: dialectRoutes,
  errorForms: dialectErrorForms,
});
const OF_EURO = { rates: { EUR: 1, USD: 1.1546, JPY: 182.33 } };
const OF_DOLLAR = { rates: { USD: 1, EUR: 0.866101, AED: 3.6725 } };
/** Wallos divides by the rate of its main currency, which may be the euro. */
const WITH_EURO = { rates: { EUR: 1, GBP: 0.8673, USD: 1.1546 } };
const CONVERSIONS = { USD: { EUR: 0.866100814135, USD: 1 }, EUR: { JPY: 182.33 }, GBP: {} };
const SURE = { accept: 'application/json' };

it.each<[program: string, target: string, expected: object, headers?: Record<string, string>]>([
  ['django-money', '/oxr/api/latest.json?app_id=any&base_currency=USD', OF_DOLLAR],
  ['django-money', '/oxr/api/latest.json?base=EUR&app_id=any&base_currency=EUR', OF_EURO],
  ['django-money', '/fixer/latest?access_key=any&base_currency=EUR', OF_EURO],
  [
    'Prebid Server',
    '/prebid/latest.json',
    { dataAsOf: '2026-03-19T00:00:00.000Z', conversions: CONVERSIONS },
  ],
  [
    'Firefly III',
    '/firefly/2026/12/EUR.json',
    { date: '2026-03-16', rates: { USD: 1.1546, CNY: 8, RMB: 8 } },
  ],
  [
    'Sure',
    '/v2/rates?base=EUR&from=2026-03-16&quotes=USD&to=2026-03-19',
    ['2026-03-16', '2026-03-19'].map((date) => ({ date, quote: 'USD', rate: 1.1546 })),
    SURE,
  ],
  ['Sure', '/v2/rate/EUR/USD?date=2026-03-18', { date: '2026-03-16', rate: 1.1546 }, SURE],
  ['ERPNext', '/fixer/convert?from=USD&to=INR&date=2026-03-19&amount=1', { result: 93.538888 }],
  ['Wallos', '/fixer/api/latest?access_key=any&base=EUR&symbols=EUR,USD,GBP', WITH_EURO],
  ['Wallos', '/fixer/latest?base=EUR&symbols=EUR,USD,GBP', WITH_EURO, { apikey: 'any' }],
  // The second half of each name is the code.
  [
    'Dolibarr',
    '/currencylayer/live?access_key=any&source=EUR',
    { success: true, quotes: { EURUSD: 1.1546, EURGBP: 0.8673 } },
  ],
  ['Invoice Ninja', '/oxr/api/latest.json?app_id=any', OF_DOLLAR],
])('%s reads what it needs of %s', async (_, target, expected, headers = {}) => {
  expect(await json(target, { headers })).toMatchObject(expected);
});

it.each([
  ['/prebid/latest.json?bases=EURO', 422],
  ['/firefly/2026/12/BTC.json', 404],
])('the status says that there is nothing to read: %s', async (target, status) => {
  expect((await ask(target)).status).toBe(status);
});
