import { Converter } from 'easy-currencies';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith } from '../../../support/rates.js';

// Programs that can't be run here are asked for: each test sends the request that the program sends, with all parameters and
// headers, and reads of the response what the program reads.

const clock = () => new Date('2026-03-20T18:00:00Z');
const PYTHON = { 'accept-encoding': 'identity', 'user-agent': 'Python-urllib/3.12', connection: 'close' };
const REQUESTS = {
  'user-agent': 'python-requests/2.32.3',
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
};
const GO = { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' };
const JAVA = { accept: '*/*' };
const GUZZLE = { 'user-agent': 'GuzzleHttp/7' };
const FARADAY = { 'user-agent': 'Faraday v2.13.0', accept: 'application/json' };

type Rates = Record<string, number>;

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  const rows = [
    ['USD', 1.1546],
    ['GBP', 0.8673],
    ['INR', 108.0],
    ['CNY', 8],
    ['JPY', 182.33],
  ] as const;
  database = await databaseWith(
    ['2026-03-16', '2026-03-19'].flatMap((date) =>
      rows.map(([quote, rate]) => ({ provider: 'ECB', date, base: 'EUR', quote, rate })),
    ),
  );
  api = await startApi(database, { clock });
}, 60_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** The body of a response that must be a 200. */
async function ask<Body>(target: string, headers: Record<string, string> = {}): Promise<Body> {
  const response = await fetch(api.url + target, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

describe('django-money', () => {
  it('reads the rates of Open Exchange Rates, of its default base or the one in its URL', async () => {
    const dollar = await ask<{ rates: Rates }>('/oxr/api/latest.json?app_id=any&base_currency=USD', PYTHON);
    expect(dollar.rates).toMatchObject({ USD: 1, EUR: 0.866101, AED: 3.6725 });
    const euro = await ask<{ rates: Rates }>(
      '/oxr/api/latest.json?base=EUR&app_id=any&base_currency=EUR',
      PYTHON,
    );
    expect(euro.rates).toMatchObject({ EUR: 1, USD: 1.1546, JPY: 182.33 });
  });

  it('reads the rates of Fixer, whose base is the euro', async () => {
    const { rates } = await ask<{ rates: Rates }>('/fixer/latest?access_key=any&base_currency=EUR', PYTHON);
    expect(rates).toMatchObject({ EUR: 1, USD: 1.1546, JPY: 182.33 });
  });
});

describe('Prebid Server', () => {
  it.each([
    ['in Go', GO],
    ['in Java', JAVA],
  ])('%s reads the conversions', async (_, headers) => {
    const { conversions, dataAsOf } = await ask<{ conversions: Record<string, Rates>; dataAsOf: string }>(
      '/prebid/latest.json',
      headers,
    );
    expect(dataAsOf).toBe('2026-03-19T00:00:00.000Z');
    expect(Object.keys(conversions)).toEqual(['USD', 'GBP', 'EUR']);
    expect(conversions).toMatchObject({ USD: { EUR: 0.866100814135, USD: 1 }, EUR: { JPY: 182.33 } });
  });

  it('is told by the status where there is nothing to read', async () => {
    const response = await fetch(`${api.url}/prebid/latest.json?bases=EURO`, { headers: GO });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ success: false, errors: [{ parameter: 'bases' }] });
  });
});

describe('Firefly III', () => {
  it('reads the date and the rates of a week', async () => {
    const { date, rates } = await ask<{ date: string; rates: Rates }>('/firefly/2026/12/EUR.json', GUZZLE);
    expect(date).toBe('2026-03-16');
    expect(rates).toMatchObject({ USD: 1.1546, CNY: 8, RMB: 8 });
    expect(rates).not.toHaveProperty('EUR');
  });

  it('takes nothing but a 200', async () => {
    const response = await fetch(`${api.url}/firefly/2026/12/BTC.json`, { headers: GUZZLE });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, status: 404 });
  });
});

describe('Sure', () => {
  it('reads rates, a rate and the currencies', async () => {
    const range = '/v2/rates?base=EUR&from=2026-03-16&quotes=USD&to=2026-03-19';
    const rows = await ask<{ date: string; quote: string; rate: number }[]>(range, FARADAY);
    expect(rows.map(({ date, quote, rate }) => [date, quote, rate])).toEqual([
      ['2026-03-16', 'USD', 1.1546],
      ['2026-03-19', 'USD', 1.1546],
    ]);
    expect(await ask('/v2/rate/EUR/USD?date=2026-03-18', FARADAY)).toMatchObject({
      date: '2026-03-16',
      rate: 1.1546,
    });
    expect(await ask('/v2/currencies', FARADAY)).not.toEqual([]);
  });
});

describe('ERPNext', () => {
  it('reads the result of a conversion', async () => {
    const target = '/fixer/convert?from=USD&to=INR&date=2026-03-19&amount=1';
    expect(await ask(target, REQUESTS)).toMatchObject({ result: 93.538888 });
  });
});

describe('Wallos', () => {
  // It divides by the rate of its main currency, which may be the euro.
  it.each([
    ['/fixer/api/latest?access_key=any&base=EUR&symbols=EUR,USD,GBP', {}],
    ['/fixer/latest?base=EUR&symbols=EUR,USD,GBP', { apikey: 'any' }],
  ])('reads the rates of %s', async (target, headers) => {
    expect(await ask(target, headers)).toMatchObject({ rates: { EUR: 1, GBP: 0.8673, USD: 1.1546 } });
  });
});

describe('Dolibarr', () => {
  it('reads the quotes, whose second half is the code', async () => {
    const { success, quotes } = await ask<{ success: boolean; quotes: Rates }>(
      '/currencylayer/live?access_key=any&source=EUR',
    );
    expect(success).toBe(true);
    expect(quotes).toMatchObject({ EURUSD: 1.1546, EURGBP: 0.8673 });
  });
});

describe('Invoice Ninja', () => {
  it('reads the rates of the dollar', async () => {
    const { rates } = await ask<{ rates: Rates }>('/oxr/api/latest.json?app_id=any', GUZZLE);
    expect(rates).toMatchObject({ USD: 1, EUR: 0.866101 });
  });
});

describe('easy-currencies, a client of ExchangeRate-API', () => {
  function converter(): Converter {
    const created = new Converter('ExchangeRateAPI');
    const provider = created.config.activeProvider();
    for (const other of created.config.providers) if (other !== provider) created.config.remove(other);
    const { base } = provider.endpoint;
    provider.endpoint = {
      ...provider.endpoint,
      base: base.replace('https://api.exchangerate-api.com', `${api.url}/er`),
    };
    expect(provider.endpoint.base).toBe(`${api.url}/er/v4/latest/`);
    return created;
  }

  it('converts amounts', async () => {
    expect(await converter().convert(100, 'EUR', 'USD')).toBeCloseTo(115.46, 10);
    expect(await converter().convert(10, 'GBP', 'USD')).toBeCloseTo(13.31258, 8);
  });

  it('reads all rates of a base', async () => {
    expect(await converter().getRates('USD', 'EUR')).toMatchObject({ USD: 1, EUR: 0.866101, AED: 3.6725 });
  });

  it('is told of a currency that there is none of', async () => {
    const silent = converter();
    silent.onError = () => undefined;
    await expect(silent.convert(1, 'XXY', 'USD')).rejects.toThrow(/not found/i);
  });
});
