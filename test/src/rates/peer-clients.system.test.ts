import { Converter } from 'easy-currencies';
import { FrankfurterClient, FrankfurterError } from 'frankfurter-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedApi } from '../../support/shared.js';
import { rowsOf } from './sources/in-memory.js';

// Clients of the best-known service of this kind, as they come from npm: nothing is changed but the base URL.

const ROWS = [
  ...['ECB 2026-03-05 EUR/USD 1.16', 'ECB 2026-03-05 EUR/GBP 0.87', 'ECB 2026-03-06 EUR/USD 1.1561'],
  ...['ECB 2026-03-06 EUR/GBP 0.86675', 'ECB 2026-03-09 EUR/USD 1.17', 'ECB 2026-03-09 EUR/GBP 0.868'],
];

let url: string;
beforeAll(async () => {
  ({ url } = await sharedApi(rowsOf(ROWS), { now: '2026-03-10T18:00:00Z' }));
});

describe.each(['', '/frankfurter'])('frankfurter-js, a client of /v2, at %s/v2', (prefix) => {
  const usd = (date: string, rate: number) => ({ date, base: 'EUR', quote: 'USD', rate });
  let client: FrankfurterClient;
  beforeAll(() => {
    client = new FrankfurterClient({ baseUrl: url + prefix });
  });

  it('reads the newest rates, and those of another base', async () => {
    expect(await client.latest({ quotes: ['USD'] })).toEqual([usd('2026-03-09', 1.17)]);
    const all = await client.latest({ providers: 'ECB' });
    expect(all.map(({ quote }) => quote)).toEqual(['EUR', 'GBP', 'USD']);
    const euro = { date: '2026-03-09', base: 'USD', quote: 'EUR', rate: 0.8547 };
    expect(await client.latest({ base: 'USD', quotes: 'EUR' })).toEqual([euro]);
  });

  it('reads currencies and providers with the fields that its types have', async () => {
    const currencies = await client.currencies();
    const days = { start_date: '2026-03-05', end_date: '2026-03-09' };
    const pound = { iso_code: 'GBP', iso_numeric: '826', symbol: '£', ...days };
    expect(currencies.find(({ iso_code }) => iso_code === 'GBP')).toMatchObject(pound);
    expect((await client.currencies({ scope: 'all' })).length).toBeGreaterThanOrEqual(currencies.length);
    const providers = await client.providers();
    expect(providers.find(({ key }) => key === 'ECB')).toMatchObject({
      name: 'European Central Bank',
      pivot_currency: 'EUR',
      data_url: expect.stringContaining('https://'),
      currencies: expect.arrayContaining(['USD']),
    });
  });

  it('learns what is wrong', async () => {
    const failed = await client.latest({ quotes: ['XXY'] }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(FrankfurterError);
    expect(failed).toMatchObject({ status: 422, body: { status: 422, message: 'invalid currency: XXY' } });
  });
});

describe.each(['', '/frankfurter'])('easy-currencies, a client of /v1, at %s/v1', (prefix) => {
  function converter(): Converter {
    const created = new Converter('Frankfurter');
    const provider = created.config.activeProvider();
    for (const other of created.config.providers) if (other !== provider) created.config.remove(other);
    const { base } = provider.endpoint;
    provider.endpoint = {
      ...provider.endpoint,
      base: base.replace('https://api.frankfurter.dev', url + prefix),
    };
    expect(provider.endpoint.base).toContain(url + prefix);
    return created;
  }

  it('converts amounts', async () => {
    expect(await converter().convert(100, 'EUR', 'USD')).toBeCloseTo(117, 10);
    expect(await converter().convert(10, 'GBP', 'USD')).toBeCloseTo(10 * 1.3479, 10);
  });

  it('reads all rates of a base', async () => {
    expect(await converter().getRates('USD', 'EUR')).toMatchObject({ EUR: 0.8547, GBP: 0.74188 });
  });

  it('learns of a currency without a rate', async () => {
    const silent = converter();
    silent.onError = () => undefined;
    await expect(silent.convert(1, 'KPW', 'USD')).rejects.toThrow(/not found|not supported/);
  });
});
