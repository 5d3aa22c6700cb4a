import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { providers } from '../../../../core/domain/providers.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith } from '../../../support/rates.js';

const row = (provider: string, date: string, base: string, quote: string, rate: number): RawRow => ({
  provider,
  date,
  base,
  quote,
  rate,
});
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith([
    row('ECB', '2026-03-17', 'EUR', 'USD', 1.15),
    row('ECB', '2026-03-17', 'EUR', 'GBP', 0.86),
    row('HMRC', '2026-02-01', 'GBP', 'USD', 1.2),
    row('HMRC', '2026-03-01', 'GBP', 'USD', 1.3554),
    row('HMRC', '2026-03-01', 'GBP', 'EUR', 1.15),
    row('HMRC', '2026-03-01', 'GBP', 'TRY', 60),
    row('HMRC', '2026-03-18', 'GBP', 'TRY', 66),
    row('HMRC', '2026-04-01', 'GBP', 'USD', 1.4),
    row('UST', '2025-12-31', 'USD', 'BOB', 6.85),
    row('UST', '2026-02-14', 'USD', 'BOB', 10.35),
    row('BIS', '2026-02-28', 'USD', 'JPY', 150),
    row('JPC', '2026-03-15', 'USD', 'JPY', 155.39),
    row('BAZG', '2026-03-18', 'JPY', 'CHF', 0.005),
    row('BAZG', '2026-03-21', 'JPY', 'CHF', 0.0051),
    row('CBTT', '2026-03-17', 'USD', 'TTD', 6.75),
    row('CBTT', '2026-03-17', 'EUR', 'TTD', 99),
    row('BDL', '2024-03-27', 'USD', 'LBP', 15_000),
    row('BDL', '2024-03-28', 'USD', 'LBP', 89_500),
    row('BCV', '2026-03-17', 'USD', 'VES', 440),
    row('BCV', '2026-03-17', 'ANG', 'VES', 250),
    row('CBKKW', '2026-03-17', 'USD', 'KWD', 0.306),
    row('CBKKW', '2026-03-17', 'PYG', 'KWD', 0.000052),
  ]);
  api = await startApi(database, { clock: () => new Date('2026-03-20T12:00:00Z') });
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function get(path: string): Promise<{ status: number; text: string; asOf: string | null }> {
  const response = await fetch(`${api.url}${path}`);
  return {
    status: response.status,
    text: await response.text(),
    asOf: response.headers.get('x-rates-as-of'),
  };
}
const rows = async (query: string) => JSON.parse((await get(`/v2/rates?${query}`)).text);
const rate = (quote: string, value: number, from: string, to: string, base = 'GBP') => ({
  date: from,
  base,
  quote,
  rate: value,
  valid_from: from,
  valid_to: to,
});

describe('rates that are set for a period', () => {
  it('are those valid on the day, until the end of the period or an amendment', async () => {
    expect(await rows('providers=HMRC&base=GBP&date=2026-03-17')).toEqual([
      rate('EUR', 1.15, '2026-03-01', '2026-03-31'),
      rate('GBP', 1, '2026-03-01', '2026-03-31'),
      rate('TRY', 60, '2026-03-01', '2026-03-17'),
      rate('USD', 1.3554, '2026-03-01', '2026-03-31'),
    ]);
    expect(await rows('providers=HMRC&base=GBP&quotes=TRY&date=2026-03-18')).toEqual([
      rate('TRY', 66, '2026-03-18', '2026-03-31'),
    ]);
    expect(await rows('providers=UST&base=USD&quotes=BOB&date=2026-02-13')).toEqual([
      rate('BOB', 6.85, '2025-12-31', '2026-02-13', 'USD'),
    ]);
    expect(await rows('providers=UST&base=USD&quotes=BOB&date=2026-03-30')).toEqual([
      rate('BOB', 10.35, '2026-02-14', '2026-03-30', 'USD'),
    ]);
    expect(await rows('providers=BIS&base=USD&quotes=JPY&date=2026-03-30')).toEqual([
      rate('JPY', 150, '2026-02-28', '2026-03-30', 'USD'),
    ]);
    expect(await rows('providers=JPC&base=USD&quotes=JPY&date=2026-03-21')).toEqual([
      rate('JPY', 155.39, '2026-03-15', '2026-03-21', 'USD'),
    ]);
  });

  it('of single days are valid until the next list', async () => {
    const ask = (day: string) => rows(`providers=BAZG&base=JPY&quotes=CHF${day}`);
    expect(await ask('')).toEqual([rate('CHF', 0.005, '2026-03-18', '2026-03-20', 'JPY')]);
    expect(await ask('&date=2026-03-22')).toEqual([rate('CHF', 0.0051, '2026-03-21', '2026-03-23', 'JPY')]);
    expect(await ask('&date=2026-03-24')).toEqual([]);
  });

  it('are not remembered beyond their period', async () => {
    expect(await rows('providers=HMRC&base=GBP&quotes=EUR&date=2026-04-01')).toEqual([]);
    expect(await rows('providers=JPC&base=USD&date=2026-03-22')).toEqual([]);
  });

  it('convert the amount of an invoice by the rate of its day', async () => {
    const convert = async (pair: string, query: string) => {
      const { status, text } = await get(`/v2/convert/${pair}?providers=HMRC&${query}`);
      return { status, ...JSON.parse(text) };
    };
    expect(await convert('USD/GBP', 'amount=1000&date=2026-03-17')).toMatchObject({
      status: 200,
      amount: '1000',
      date: '2026-03-17',
      result: '737.79',
    });
    expect(await convert('GBP/TRY', 'amount=10.50&date=2026-03-17')).toMatchObject({
      rate: 60,
      result: '630.00',
    });
    expect(await convert('GBP/TRY', 'amount=10.50&date=2026-03-18')).toMatchObject({
      rate: 66,
      result: '693.00',
    });
    expect((await convert('GBP/EUR', 'amount=1&date=2026-04-01')).status).toBe(404);
  });

  it('are crossed for the days on which both rates hold', async () => {
    expect(await rows('providers=HMRC&base=USD&quotes=TRY&date=2026-03-19')).toEqual([
      { ...rate('TRY', 48.694, '2026-03-18', '2026-03-31', 'USD') },
    ]);
  });

  it('are the ones valid today where no day is named, though the next are known', async () => {
    const { text, asOf } = await get('/v2/rates?providers=HMRC&base=GBP&quotes=USD');
    expect(JSON.parse(text)).toEqual([rate('USD', 1.3554, '2026-03-01', '2026-03-31')]);
    expect(asOf).toBe('2026-03-20');
  });

  it('are all that are valid in a range', async () => {
    expect(await rows('providers=HMRC&base=GBP&quotes=TRY,USD&from=2026-02-10&to=2026-04-02')).toEqual([
      rate('USD', 1.2, '2026-02-01', '2026-02-28'),
      rate('TRY', 60, '2026-03-01', '2026-03-17'),
      rate('USD', 1.3554, '2026-03-01', '2026-03-31'),
      rate('TRY', 66, '2026-03-18', '2026-03-31'),
      rate('USD', 1.4, '2026-04-01', '2026-04-30'),
    ]);
    expect(await rows('providers=HMRC&base=GBP&quotes=TRY&from=2026-03-18&to=2026-03-19')).toHaveLength(1);
  });

  it('have the days of their validity in every format, and on the route of a pair', async () => {
    const query = 'providers=HMRC&base=GBP&quotes=USD&date=2026-03-17';
    const one = rate('USD', 1.3554, '2026-03-01', '2026-03-31');
    expect((await get(`/v2/rates.ndjson?${query}`)).text).toBe(`${JSON.stringify(one)}\n`);
    expect((await get(`/v2/rates.csv?${query}`)).text).toBe(
      'date,base,quote,rate,valid_from,valid_to\n2026-03-01,GBP,USD,1.3554,2026-03-01,2026-03-31\n',
    );
    expect((await get(`/v2/rates.csv?${query}&expand=providers`)).text).toBe(
      'date,base,quote,rate,valid_from,valid_to,providers\n2026-03-01,GBP,USD,1.3554,2026-03-01,2026-03-31,HMRC:1.3554\n',
    );
    expect(JSON.parse((await get('/v2/rate/GBP/USD?providers=HMRC&date=2026-03-17')).text)).toEqual(one);
    expect((await get('/v2/rates.csv?base=GBP&quotes=USD')).text).toMatch(/^date,base,quote,rate\n/);
  });

  it('are never blended, neither with all nor with some', async () => {
    expect(await rows('base=EUR&quotes=JPY,BOB,TRY')).toEqual([]);
    expect(await rows('base=EUR&quotes=USD&expand=providers')).toEqual([
      expect.objectContaining({ providers: [expect.objectContaining({ key: 'ECB' })] }),
    ]);
    for (const query of ['providers=HMRC,ECB', 'providers=HMRC&from=2026-01-01&group=month']) {
      expect(await get(`/v2/rates?${query}`)).toMatchObject({ status: 422 });
    }
  });

  it('are told from observed ones by /v2/providers', async () => {
    const listed: { key: string }[] = JSON.parse((await get('/v2/providers')).text);
    const one = (key: string) => listed.find((provider) => provider.key === key);
    expect(listed).toHaveLength(providers.length);
    expect(one('HMRC')).toMatchObject({ kind: 'official', period: 'month', blended: false });
    expect(one('BAZG')).toMatchObject({ kind: 'official', period: 'day', publish_cadence: 'daily' });
    expect(one('UST')).toMatchObject({ kind: 'official', period: 'quarter', publish_cadence: 'quarterly' });
    expect(one('ECB')).toMatchObject({ kind: 'observed', period: null, blended: true });
  });
});

describe('rates that a provider is not blended with', () => {
  it("are answered as the provider's own", async () => {
    expect(await rows('providers=CBTT&base=EUR&quotes=TTD')).toEqual([
      { date: '2026-03-17', base: 'EUR', quote: 'TTD', rate: 99 },
    ]);
    expect(await rows('providers=CBKKW&base=PYG&quotes=KWD')).toHaveLength(1);
    expect(await rows('providers=BDL&base=USD&quotes=LBP&date=2024-03-27')).toEqual([
      { date: '2024-03-27', base: 'USD', quote: 'LBP', rate: 15_000 },
    ]);
    expect(await rows('providers=BCV&base=VES&quotes=ANG')).toEqual([
      { date: '2026-03-17', base: 'VES', quote: 'ANG', rate: 0.004 },
    ]);
  });

  it('are in no blend: other currencies, earlier days, figures of few digits, currencies that ended', async () => {
    expect(await rows('base=USD&quotes=ANG,VES')).toEqual([expect.objectContaining({ quote: 'VES' })]);
    expect(await rows('base=EUR&quotes=TTD')).toEqual([expect.objectContaining({ rate: 7.7625 })]);
    expect(await rows('base=EUR&quotes=PYG')).toEqual([]);
    expect(await rows('base=USD&quotes=LBP&date=2024-03-27')).toEqual([]);
    expect(await rows('base=USD&quotes=LBP&date=2024-03-28')).toEqual([
      { date: '2024-03-28', base: 'USD', quote: 'LBP', rate: 89_500 },
    ]);
    expect(await rows('providers=CBTT,ECB&base=USD&quotes=TTD')).toEqual([
      expect.objectContaining({ rate: 6.75 }),
    ]);
  });
});
