import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roundForDisplay } from '../../../../core/domain/rounding.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith } from '../../../support/rates.js';

let database: TestDatabase;
let api: TestApi;

const row = (date: string, quote: string, rate: number) => ({
  provider: 'ECB',
  date,
  base: 'EUR',
  quote,
  rate,
});

beforeAll(async () => {
  database = await databaseWith([
    row('2026-03-12', 'USD', 1.1512),
    row('2026-03-12', 'GBP', 0.8641),
    row('2026-03-13', 'USD', 1.1456),
    row('2026-03-13', 'GBP', 0.86583),
    row('2026-03-13', 'JPY', 182.93),
    row('2026-03-16', 'USD', 1.1523),
    row('2026-03-16', 'JPY', 183.41),
  ]);
  api = await startApi(database, { clock: () => new Date('2026-03-17T12:00:00Z') });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function get(path: string, status = 200): Promise<unknown> {
  const response = await fetch(`${api.url}/v1${path}`);
  expect(response.status, path).toBe(status);
  return response.json();
}

describe('/v1', () => {
  it('answers the newest day in the digits of the bank', async () => {
    const newest = { amount: 1, base: 'EUR', date: '2026-03-16', rates: { JPY: 183.41, USD: 1.1523 } };
    expect(await get('/latest')).toEqual(newest);
    expect(await get('/current')).toEqual(newest);
    expect(await get('/2031-01-01')).toEqual(newest);
  });

  it('shows on a Sunday what was published before', async () => {
    expect(await get('/2026-03-15?symbols=USD,gbp')).toEqual({
      amount: 1,
      base: 'EUR',
      date: '2026-03-13',
      rates: { GBP: 0.86583, USD: 1.1456 },
    });
  });

  it('computes other amounts and bases exactly, rounded once', async () => {
    expect(await get('/2026-03-13?from=USD&to=EUR,JPY&base=GBP&amount=10.5x')).toEqual({
      amount: 10.5,
      base: 'USD',
      date: '2026-03-13',
      rates: { EUR: roundForDisplay(10.5 / 1.1456), JPY: roundForDisplay((10.5 * 182.93) / 1.1456) },
    });
  });

  it('answers an interval from the last publication on or before its first day', async () => {
    expect(await get('/2026-03-15..2026-03-16?symbols=GBP,USD')).toEqual({
      amount: 1,
      base: 'EUR',
      start_date: '2026-03-13',
      end_date: '2026-03-16',
      rates: { '2026-03-13': { GBP: 0.86583, USD: 1.1456 }, '2026-03-16': { USD: 1.1523 } },
    });
    const open = await get('/2026-03-13..?base=JPY&symbols=USD');
    expect(open).toMatchObject({ start_date: '2026-03-13', end_date: '2026-03-16' });
  });

  it('names the currencies of the last fourteen days', async () => {
    expect(await get('/currencies')).toEqual({
      EUR: 'Euro',
      GBP: 'British Pound',
      JPY: 'Japanese Yen',
      USD: 'United States Dollar',
    });
  });

  it.each([
    ['/latest?amount=0', 422, 'invalid amount'],
    ['/latest?amount=-1', 422, 'invalid amount'],
    ['/latest?amount=x', 422, 'invalid amount'],
    ['/2026-02-30', 422, 'invalid date'],
    ['/2026-03-01..2026-02-30', 422, 'invalid date'],
    ['/latest?base=USD&symbols=USD', 422, 'bad currency pair'],
    ['/latest?base=XYZ', 404, 'not found'],
    ['/latest?symbols=XYZ', 404, 'not found'],
    ['/latest?symbols=', 404, 'not found'],
    ['/1998-12-31', 404, 'not found'],
    ['/2026-03-18..2026-03-19', 404, 'not found'],
    ['/2026-03-16..2026-03-13', 404, 'not found'],
    ['/soon', 404, 'not found'],
  ])('refuses %s with %i', async (path, status, message) => {
    expect(await get(path, status)).toMatchObject({
      success: false,
      message: expect.stringContaining(message),
    });
  });
});

describe("the older service's other routes", () => {
  const read = async (path: string) => (await fetch(`${api.url}${path}`)).json();

  it('tell since when and until when a pair has rates', async () => {
    const days = { start_date: '2026-03-12', end_date: '2026-03-13' };
    expect(await read('/v2/coverage?base=USD&quotes=GBP')).toEqual({
      base: 'USD',
      quotes: ['GBP'],
      providers: null,
      ...days,
    });
    expect(await read('/v2/coverage?base=USD&quotes=GBP&providers=ECB')).toMatchObject(days);
    expect(await read('/v2/coverage?quotes=KPW')).toMatchObject({ start_date: null, end_date: null });
  });

  it('answer for one provider below its key', async () => {
    expect(await read('/v2/providers/ecb/rates?date=2026-03-13')).toEqual(
      await read('/v2/rates?providers=ECB&date=2026-03-13'),
    );
    expect(await read('/v2/providers/ECB/rate/USD/JPY')).toEqual(
      await read('/v2/rate/USD/JPY?providers=ECB'),
    );
    expect((await fetch(`${api.url}/v2/providers/nope/rates`)).status).toBe(404);
    expect((await fetch(`${api.url}/v2/providers/ECB/rates?providers=ECB`)).status).toBe(422);
  });

  it('answer a pair as a bare number', async () => {
    const response = await fetch(`${api.url}/v2/rate/EUR/USD.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const { rate } = (await read('/v2/rate/EUR/USD')) as { rate: number };
    expect(await response.text()).toBe(String(rate));
  });
});
