import { Converter } from 'easy-currencies';
import { FrankfurterClient, FrankfurterError } from 'frankfurter-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { storeRows } from '../../support/rates.js';

// Clients of the best-known service of this kind, as they come from npm: nothing is changed but the base URL.

const clock = () => new Date('2026-03-10T18:00:00Z');
const rows = [
  ['2026-03-05', 'USD', 1.16],
  ['2026-03-05', 'GBP', 0.87],
  ['2026-03-06', 'USD', 1.1561],
  ['2026-03-06', 'GBP', 0.86675],
  ['2026-03-09', 'USD', 1.17],
  ['2026-03-09', 'GBP', 0.868],
] as const;

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  await storeRows(
    database,
    rows.map(([date, quote, rate]) => ({ provider: 'ECB', date, base: 'EUR', quote, rate })),
  );
  api = await startApi(database, { clock });
}, 60_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

describe('frankfurter-js, a client of /v2', () => {
  const usd = (date: string, rate: number) => ({ date, base: 'EUR', quote: 'USD', rate });
  let client: FrankfurterClient;
  beforeAll(() => {
    client = new FrankfurterClient({ baseUrl: api.url });
  });

  it('reads the newest rates', async () => {
    expect(await client.latest({ quotes: ['USD'] })).toEqual([usd('2026-03-09', 1.17)]);
    const all = await client.latest({ providers: 'ECB' });
    expect(all.map(({ quote }) => quote)).toEqual(['EUR', 'GBP', 'USD']);
  });

  it('reads another base', async () => {
    expect(await client.latest({ base: 'USD', quotes: 'EUR' })).toEqual([
      { date: '2026-03-09', base: 'USD', quote: 'EUR', rate: 0.8547 },
    ]);
  });

  it('reads a day without rates', async () => {
    expect(await client.historical('2026-03-08', { quotes: ['USD'], providers: ['ECB'] })).toEqual([
      usd('2026-03-06', 1.1561),
    ]);
  });

  it('reads ranges and months', async () => {
    expect(await client.range('2026-03-05', '2026-03-06', { quotes: ['USD'] })).toEqual([
      usd('2026-03-05', 1.16),
      usd('2026-03-06', 1.1561),
    ]);
    expect(await client.range('2026-03-01', undefined, { quotes: ['USD'], group: 'month' })).toEqual([
      usd('2026-03-01', 1.162),
    ]);
  });

  it('reads currencies and providers with the fields that its types have', async () => {
    const currencies = await client.currencies();
    expect(currencies.find(({ iso_code }) => iso_code === 'GBP')).toMatchObject({
      iso_code: 'GBP',
      iso_numeric: '826',
      symbol: '£',
      start_date: '2026-03-05',
      end_date: '2026-03-09',
    });
    expect((await client.currencies({ scope: 'all' })).length).toBeGreaterThanOrEqual(currencies.length);
    const providers = await client.providers();
    expect(providers.find(({ key }) => key === 'ECB')).toMatchObject({
      name: 'European Central Bank',
      pivot_currency: 'EUR',
      data_url: expect.stringContaining('https://'),
      currencies: expect.arrayContaining(['USD']),
    });
  });

  it('is told what is wrong', async () => {
    const failed = await client.latest({ quotes: ['XXY'] }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(FrankfurterError);
    expect(failed).toMatchObject({ status: 422, body: { status: 422, message: 'invalid currency: XXY' } });
  });
});

describe('easy-currencies, a client of /v1', () => {
  function converter(): Converter {
    const created = new Converter('Frankfurter');
    const provider = created.config.activeProvider();
    for (const other of created.config.providers) if (other !== provider) created.config.remove(other);
    const { base } = provider.endpoint;
    provider.endpoint = { ...provider.endpoint, base: base.replace('https://api.frankfurter.dev', api.url) };
    expect(provider.endpoint.base).toContain(api.url);
    return created;
  }

  it('converts amounts', async () => {
    expect(await converter().convert(100, 'EUR', 'USD')).toBeCloseTo(117, 10);
    expect(await converter().convert(10, 'GBP', 'USD')).toBeCloseTo(10 * 1.3479, 10);
  });

  it('reads all rates of a base', async () => {
    expect(await converter().getRates('USD', 'EUR')).toMatchObject({ EUR: 0.8547, GBP: 0.74188 });
  });

  it('is told of a currency without a rate', async () => {
    const silent = converter();
    silent.onError = () => undefined;
    await expect(silent.convert(1, 'KPW', 'USD')).rejects.toThrow(/not found|not supported/);
  });
});
