import { beforeAll, describe, expect, it } from 'vitest';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';

const ROWS = [
  ...['ECB 2026-03-05 EUR/USD 1.16', 'ECB 2026-03-05 EUR/GBP 0.87', 'ECB 2026-03-06 EUR/USD 1.1561'],
  ...['ECB 2026-03-06 EUR/GBP 0.86675', 'ECB 2026-03-09 EUR/USD 1.17', 'ECB 2026-03-09 EUR/GBP 0.868'],
  ...['BOC 2026-03-09 USD/CAD 1.37', 'ECB 2001-12-28 EUR/GRD 340.75'],
];
const USD = { date: '2026-03-09', base: 'EUR', quote: 'USD', rate: 1.17 };
const FRIDAY = { ...USD, date: '2026-03-06', rate: 1.1561 };
const LATEST = { amount: 1, base: 'EUR', date: '2026-03-09', rates: { GBP: 0.868, USD: 1.17 } };
const DAYS = {
  ...{ amount: 1, base: 'EUR', start_date: '2026-03-06', end_date: '2026-03-09' },
  rates: { '2026-03-06': { GBP: 0.86675, USD: 1.1561 }, '2026-03-09': { GBP: 0.868, USD: 1.17 } },
};
const NAMES = { EUR: 'Euro', GBP: expect.any(String), USD: expect.any(String) };
const CODES = (...codes: string[]) => codes.map((iso_code) => expect.objectContaining({ iso_code }));
const SPAN = (start_date: string | null, end_date: string | null, providers: string[] | null = null) =>
  expect.objectContaining({ providers, start_date, end_date });
const ECB = expect.objectContaining({
  key: 'ECB',
  currencies: ['EUR', 'GBP', 'GRD', 'USD'],
  unknown_currencies: [],
});

let url: string;
beforeAll(async () => {
  ({ url } = await sharedApi(rowsOf(ROWS), { now: '2026-03-10T18:00:00Z' }));
});

async function ask(target: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${target}`, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
  };
}

const START = ['from=2026-03-06&to=2026-03-09', 'to=2026-03-09&from=2026-03-06'];

describe.each<[target: string, body: unknown]>([
  // The older host.
  ['/latest', LATEST],
  ['/current', LATEST],
  ['/latest?from=USD&to=EUR,GBP', { ...LATEST, base: 'USD', rates: { EUR: 0.8547, GBP: 0.74188 } }],
  ['/latest?amount=10&symbols=usd&anything=1', { ...LATEST, amount: 10, rates: { USD: 11.7 } }],
  ['/latest?amount=10abc&to=GBP&to=USD', { ...LATEST, amount: 10, rates: { USD: 11.7 } }],
  ['/2026-03-08', { ...LATEST, date: '2026-03-06', rates: { GBP: 0.86675, USD: 1.1561 } }],
  ['/2030-01-01', LATEST],
  ['/2026-03-07..2026-03-10', DAYS],
  ['/2026-03-06..', DAYS],
  [
    '/2026-03-09..2026-03-09?to=USD',
    { ...DAYS, start_date: '2026-03-09', rates: { '2026-03-09': { USD: 1.17 } } },
  ],
  ['/currencies', NAMES],
  // The newer host.
  ['/v1/latest?base=USD&symbols=EUR', { ...LATEST, base: 'USD', rates: { EUR: 0.8547 } }],
  ['/v1/2026-03-06..2026-03-09', DAYS],
  ['/v1/currencies', NAMES],
  ['/v2/rates?quotes=USD', [USD]],
  ['/v2/rates?quotes=GBP&quotes=USD', [USD]],
  ['/v2/rates.json?quotes=USD', [USD]],
  ['/v2/rates?quotes=USD&date', [USD]],
  ['/v2/rates?quotes=USD&unknown', [USD]],
  ['/v2/rates?quotes=USD&to=2026-03-06', [USD]],
  ['/v2/rates?quotes=USD&group=month', [USD]],
  ['/v2/rates?quotes=USD&date=2031-01-01', [USD]],
  ['/v2/rates?quotes=USD&date=2026-03-07', [FRIDAY]],
  [`/v2/rates?quotes=USD&${START[0]}`, [FRIDAY, USD]],
  ['/v2/rates?quotes=USD&from=2026-03-05&group=month', [{ ...USD, date: '2026-03-01', rate: 1.162 }]],
  ['/v2/rates?quotes=USD&providers=ecb,XYZ', [USD]],
  ['/v2/rates?quotes=USD&providers=', [USD]],
  ['/v2/rates?providers=XYZ', []],
  ['/v2/rates?providers=XYZ&date=2026-03-06&expand=providers', []],
  ['/v2/rates?quotes=', []],
  ['/v2/rates?from=2026-03-09&to=2026-03-06', []],
  ['/v2/rates?from=2031-01-01', []],
  ['/v2/rate/eur/usd', USD],
  ['/v2/rate/EUR/USD?base=GBP&quotes=&from=2026-03-06&group=week', USD],
  ['/v2/rate/EUR/USD?date=2031-01-01', USD],
  ['/v2/rate/EUR/USD?date=2026-03-08&providers=ECB', FRIDAY],
  [
    '/v2/rate/EUR/USD?expand=providers',
    { ...USD, providers: [{ key: 'ECB', date: '2026-03-09', rate: 1.17 }] },
  ],
  ['/v2/coverage?quotes=USD&quotes=GBP', SPAN('2026-03-05', '2026-03-09')],
  ['/v2/coverage?providers=xyz', SPAN(null, null, ['XYZ'])],
  ['/v2/coverage?base=USD&providers=XYZ,boc', SPAN('2026-03-09', '2026-03-09', ['XYZ', 'BOC'])],
  ['/v2/currencies?unknown=1', expect.arrayContaining(CODES('CAD', 'EUR', 'GBP', 'USD'))],
  ['/v2/currencies?providers=BOC', CODES('CAD', 'USD')],
  ['/v2/currencies?providers=ECB', CODES('EUR', 'GBP', 'GRD', 'USD')],
  ['/v2/currencies?providers=XYZ', []],
  ['/v2/currency/gbp?unknown=1', expect.objectContaining({ iso_code: 'GBP', providers: ['ECB'] })],
  ['/v2/providers?unknown=1', expect.arrayContaining([ECB])],
  ['/v2/providers/ecb', ECB],
  ['/v2/providers/ecb/rates?quotes=USD&to=2026-03-06', [USD]],
  ['/v2/providers/ecb/rate/EUR/USD', USD],
  // Indexes.
  ['/', expect.objectContaining({ versions: expect.objectContaining({ v2: expect.any(Object) }) })],
  ['/v1', { version: 'v1', status: 'deprecated', openapi: '/v1/openapi.json', docs: '/docs' }],
  ['/v2/', { version: 'v2', status: 'current', openapi: '/v2/openapi.json', docs: '/docs' }],
])('/frankfurter%s', (target, body) => {
  it('is answered', async () => {
    const answer = await ask(`/frankfurter${target}`);
    expect([answer.status, answer.body]).toEqual([200, body]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

it.each<[target: string, status: number, body: object]>([
  ['/latest?amount=-1', 422, { message: /^invalid amount/ }],
  ['/latest?amount=', 422, { message: /^invalid amount/ }],
  ['/latest?from=XXY', 404, { message: /^not found/ }],
  ['/latest?from=USD&to=USD', 422, { message: /^bad currency pair/ }],
  ['/2026-02-30', 422, { message: /^invalid date/ }],
  ['/nothing', 404, { message: /^not found/ }],
  ['/v1/blend', 404, { message: /^not found/ }],
  ['/v2/rates?unknown=1&quotes=USD', 422, { status: 422, message: /^unknown parameter: unknown/ }],
  ['/v2/rates?date=2026-02-30', 422, { status: 422, message: /^invalid date/ }],
  ['/v2/rates?to=soon', 422, { status: 422, message: /^invalid date/ }],
  ['/v2/rates?date=2026-03-06&to=2026-03-09', 422, { status: 422, message: /^conflicting params/ }],
  ['/v2/rates?group=day', 422, { status: 422, message: /^invalid group/ }],
  ['/v2/rates?expand=all', 422, { status: 422, message: /^invalid expand/ }],
  ['/v2/rates?quotes=XXY', 422, { status: 422, message: /^invalid currency: XXY/ }],
  ['/v2/rates?providers=XYZ&base=XXY', 422, { status: 422, message: /^invalid currency: XXY/ }],
  ['/v2/coverage?exclude=ECB', 422, { status: 422, message: /^unknown parameter: exclude/ }],
  ['/v2/rate/EUR/USD?from=soon', 422, { status: 422, message: /^invalid date/ }],
  ['/v2/rate/EUR/USD?providers=XYZ', 404, { status: 404, message: /^not found/ }],
  ['/v2/rate/EUR/USD/2026-03-06', 404, { status: 404, message: /^not found/ }],
  ['/v2/currencies?scope=none', 422, { status: 422, message: /^invalid scope/ }],
  ['/v2/currency/XXY', 404, { status: 404, message: /^not found/ }],
  ['/v2/providers/XYZ/rates', 404, { status: 404, message: /^not found/ }],
  [
    '/v2/providers/ecb/rates?providers=BOC',
    422,
    { status: 422, message: /^providers is implied by the route/ },
  ],
  ['/v2/convert/EUR/USD?amount=1', 404, { status: 404, message: /^not found/ }],
])('/frankfurter%s is refused with %i', async (target, status, body) => {
  const answer = await ask(`/frankfurter${target}`);
  const message = expect.stringMatching((body as { message: RegExp }).message);
  expect([answer.status, answer.body]).toEqual([status, { ...body, message }]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

it('HEAD is answered, and another method is not found', async () => {
  expect(await ask('/frankfurter/v1/latest', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  const message = expect.stringMatching(/^not found/);
  for (const [path, body] of [
    ['latest', { message }],
    ['v2/rates', { status: 404, message }],
  ] as const) {
    const answer = await ask(`/frankfurter/${path}`, { method: 'POST' });
    expect([answer.status, answer.body]).toEqual([404, body]);
  }
});

it.each([
  ['/v2/rates?to=2026-03-06', 422],
  ['/v2/rates?group=month', 422],
  ['/v2/rates?providers=XYZ', 422],
  ['/v2/rates?quotes=GBP&date=2031-01-01', 200],
  ['/latest', 404],
])('without the prefix, %s is as strict as before: %i', async (target, status) => {
  const answer = await ask(target);
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.body).toEqual([]);
});

it.each([
  ['/v2/rates.csv', 'EUR-rates_latest.csv'],
  ['/v2/rates.csv?quotes=USD&date=2026-03-06', 'EUR-USD_2026-03-06.csv'],
  [
    '/v2/providers/ecb/rates.csv?quotes=USD&from=2026-01-01&to=2026-03-31&group=month',
    'ECB_EUR-USD_2026-01-01_2026-03-31_monthly.csv',
  ],
  [
    '/frankfurter/v2/rates.csv?base=usd&providers=ECB,BOC&from=2026-03-06',
    'USD-rates_2026-03-06_2026-03-10.csv',
  ],
  ['/v2/rates.csv?from=2026-03-01&group=range&quotes=USD,GBP', 'EUR-rates_2026-03-01_2026-03-10_mean.csv'],
])('%s is saved as %s', async (target, name) => {
  const disposition = async (path: string, init?: RequestInit) =>
    (await ask(path, init)).headers.get('content-disposition');
  expect(await disposition(target)).toBe(`attachment; filename="${name}"`);
  const [path, query = ''] = target.split('.csv');
  expect(await disposition(path + query, { headers: { accept: 'text/csv' } })).toBe(
    await disposition(target),
  );
  expect(await disposition(path + query)).toBeNull();
});

interface Document {
  servers: { url: string }[];
  paths: Record<string, { get: { parameters?: { name: string }[]; responses: Record<string, object> } }>;
}

it.each<[version: string, path: string, parameters: string]>([
  ['v1', '/v1/latest', 'amount,base,symbols,from,to'],
  ['v2', '/v2/rates', 'base,quotes,providers,expand,date,from,to,group'],
])('/frankfurter/%s/openapi.json describes the paths of that version', async (version, path, parameters) => {
  const { body } = await ask(`/frankfurter/${version}/openapi.json`);
  const { servers, paths } = body as Document;
  expect(servers).toEqual([{ url: '..' }]);
  expect(Object.keys(paths).filter((one) => !one.startsWith(`/${version}/`))).toEqual([]);
  const { parameters: described = [], responses } = paths[path]?.get ?? {};
  expect(described.map(({ name }) => name).join()).toBe(parameters);
  // Our own bodies of errors have other members.
  expect(responses).toMatchObject({ 200: { content: expect.anything() }, 422: { description: 'An error' } });
  expect(JSON.stringify(body)).not.toContain('"success"');
});
