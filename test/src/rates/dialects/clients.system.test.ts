import CurrencyLayerClient from 'currencylayer-client';
import { Converter } from 'easy-currencies';
import Fixer from 'fixer-node';
import fx from 'money';
import RatesApi from 'openexchangerates-api';
import { factory } from 'oxr';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../../../support/api.js';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';
import { lastSecond } from './in-process.js';

// Clients of the services that are stood in for, as they come from npm: nothing is changed but the base URL.

const DAYS = ['2026-03-05 1.16 0.87', '2026-03-06 1.1561 0.86675', '2026-03-09 1.17 0.868'];
const rows = rowsOf(
  DAYS.map((text) => text.split(' ')).flatMap(([date, dollar, pound]) => [
    `ECB ${date} EUR/USD ${dollar}`,
    `ECB ${date} EUR/GBP ${pound}`,
  ]),
);

let api: TestApi;
let host: string;

beforeAll(async () => {
  api = await sharedApi(rows, { now: '2026-03-10T18:00:00Z' });
  host = new URL(api.url).host;
});

describe.each([
  ['OpenExchangeRates', 'https://openexchangerates.org', '/oxr'],
  ['Fixer', 'https://data.fixer.io', '/fixer'],
  ['ExchangeRatesAPIIO', 'https://api.exchangeratesapi.io', '/fixer'],
  ['CurrencyLayer', 'https://apilayer.net', '/currencylayer'],
  ['ExchangeRateAPI', 'https://api.exchangerate-api.com', '/er'],
])('easy-currencies with %s', (name, original, prefix) => {
  function converter(): Converter {
    const created = new Converter(name, 'KEY');
    const provider = created.config.activeProvider();
    for (const other of created.config.providers) if (other !== provider) created.config.remove(other);
    const { base } = provider.endpoint;
    provider.endpoint = { ...provider.endpoint, base: base.replace(original, `${api.url}${prefix}`) };
    expect(provider.endpoint.base).toContain(api.url);
    return created;
  }

  it('converts amounts', async () => {
    expect(await converter().convert(100, 'EUR', 'USD')).toBeCloseTo(117, 10);
    expect(await converter().convert(10, 'GBP', 'USD')).toBeCloseTo(10 * 1.347926, 10);
  });

  it('reads the rates of a base', async () => {
    expect(await converter().getRates('USD', 'EUR')).toMatchObject({ EUR: 0.854701 });
  });

  it('reports an no such currency', async () => {
    const silent = converter();
    silent.onError = () => undefined;
    await expect(silent.convert(1, 'XXY', 'USD')).rejects.toThrow(/base|400|not found/i);
  });
});

it('openexchangerates-api reads rates and currencies, converts, and reports errors', async () => {
  const client = new RatesApi({ appId: 'KEY', apiBase: `${host}/oxr/api`, ssl: false });
  type Done = Parameters<RatesApi['currencies']>[0];
  const answer = (ask: (done: Done) => void) =>
    new Promise((resolve, reject) => ask((error, data) => (error ? reject(error) : resolve(data))));
  const gbp = { symbols: 'GBP,EUR' };
  const newest = { base: 'USD', timestamp: lastSecond('2026-03-09'), rates: { EUR: 0.854701, GBP: 0.74188 } };
  expect(await answer((done) => client.latest(gbp, done))).toMatchObject(newest);
  const [friday, saturday] = [new Date(2026, 2, 6), new Date(2026, 2, 7)];
  const rates = { EUR: 0.864977, GBP: 0.749719 };
  expect(await answer((done) => client.historical(friday, gbp, done))).toMatchObject({ rates });
  expect(await answer((done) => client.timeSeries(friday, saturday, gbp, done))).toMatchObject({
    start_date: '2026-03-06',
    rates: { '2026-03-06': rates, '2026-03-07': rates },
  });
  expect(await answer((done) => client.currencies(done))).toMatchObject({ GBP: 'British Pound' });
  expect(await answer((done) => client.convert(100, 'EUR', 'USD', done))).toMatchObject({ response: 117 });
  const error = { message: 'no such currency: XXY', errno: 'invalid_base', status: 400 };
  await expect(answer((done) => client.latest({ base: 'XXY' }, done))).rejects.toMatchObject(error);
});

it('oxr reads rates and currencies, and reports errors', async () => {
  const client = factory({ appId: 'KEY', protocol: 'http', host: `${host}/oxr` });
  expect((await client.latest()).rates).toMatchObject({ EUR: 0.854701, USD: 1 });
  expect((await client.historical('2026-03-06', { base: 'EUR' })).rates).toMatchObject({ USD: 1.1561 });
  expect(await client.currencies()).toMatchObject({ USD: 'United States Dollar' });
  const error = { status: 400, message: 'not_available' };
  await expect(client.historical('2026-03-11')).rejects.toMatchObject(error);
});

it('fixer-node reads rates and currencies, converts, and reports errors', async () => {
  const client = new Fixer('KEY');
  client.axios.defaults.baseURL = `${api.url}/fixer/api/`;
  const usd = { symbols: ['USD'] };
  const days = { start_date: '2026-03-05', end_date: '2026-03-06', ...usd };
  const newest = {
    timestamp: lastSecond('2026-03-09'),
    base: 'EUR',
    date: '2026-03-09',
    rates: { USD: 1.17 },
  };
  expect(await client.latest(usd)).toEqual({ success: true, ...newest });
  expect((await client.forDate({ date: '2026-03-08', ...usd })).rates).toEqual({ USD: 1.1561 });
  const rates = { '2026-03-05': { USD: 1.16 }, '2026-03-06': { USD: 1.1561 } };
  expect(await client.timeseries(days)).toMatchObject({ rates });
  const change = { start_rate: 1.16, end_rate: 1.1561, change: -0.0039, change_pct: -0.3362 };
  expect(await client.fluctuation(days)).toMatchObject({ rates: { USD: change } });
  expect(await client.symbols()).toMatchObject({ symbols: { GBP: 'British Pound' } });
  const amount = { from: 'EUR', to: 'USD', amount: 25, date: '2026-03-06' };
  expect(await client.convert(amount)).toMatchObject({ historical: true, result: 28.9025 });
  const error = { code: 201, type: 'invalid_base_currency', info: 'no such currency: XXY' };
  await expect(client.latest({ base: 'XXY' })).rejects.toMatchObject(error);
});

it('currencylayer-client reads rates, converts, and reports errors', async () => {
  const client = new CurrencyLayerClient({ apiKey: 'KEY' });
  client.client = client.client.defaults({ baseUrl: `${api.url}/currencylayer/api` });
  const newest = { source: 'USD', quotes: { USDEUR: 0.854701, USDGBP: 0.74188 } };
  expect(await client.live({ currencies: ['EUR', 'GBP'] })).toMatchObject(newest);
  const quotes = { EURUSD: 1.1561 };
  expect(await client.historical({ date: '2026-03-06', source: 'EUR' })).toMatchObject({ quotes });
  const amount = { from: 'EUR', to: 'USD', amount: 25 };
  expect(await client.convert(amount)).toMatchObject({ info: { quote: 1.17 }, result: 29.25 });
  const error = { code: 302, message: '2026-03-11 is after today, 2026-03-10' };
  await expect(client.historical({ date: '2026-03-11' })).rejects.toMatchObject(error);
});

it('money, which calculates from rates, takes them and their base', async () => {
  const latest = await factory({ appId: 'KEY', protocol: 'http', host: `${host}/oxr` }).latest();
  fx.base = latest.base;
  fx.rates = latest.rates;
  expect(fx.convert(100, { from: 'EUR', to: 'USD' })).toBeCloseTo(117, 3);
  expect(fx.convert(10, { from: 'GBP', to: 'EUR' })).toBeCloseTo(10 / 0.868, 4);
});
