import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../support/api.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  const dollars = (provider: string, quote: string, date: string, rate: number) => ({
    provider,
    date,
    base: 'USD',
    quote,
    rate,
  });
  await storeRows(database, [
    // The rufiyaa is published again only after the last rate of the kwacha.
    dollars('BOZ', 'ZMW', '2026-03-08', 22.5),
    dollars('BOZ', 'ZMW', '2026-03-09', 23),
    dollars('MMA', 'MVR', '2026-01-05', 15.3),
    dollars('MMA', 'MVR', '2026-03-18', 15.4),
    dollars('ECB', 'EUR', '2026-03-19', 0.87),
    dollars('ECB', 'EUR', '2026-03-20', 0.86),
    // Never within fourteen days of the rufiyaa.
    dollars('RBM', 'MWK', '2026-03-01', 1_734),
  ]);
  api = await startApi(database, { clock: () => new Date('2026-03-20T12:00:00Z') });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function rowOf(pair: string, query = ''): Promise<{ date: string; rate: number } | undefined> {
  const response = await fetch(`${api.url}/v2/rate/${pair}${query}`);
  if (response.status === 404) return undefined;
  expect(response.status).toBe(200);
  return (await response.json()) as { date: string; rate: number };
}

describe('a pair', () => {
  it.each([
    ['', 15.4 / 23],
    ['?date=2026-03-20', 15.4 / 23],
    ['?date=2026-03-18', 15.4 / 23],
    ['?expand=providers', 15.4 / 23],
  ])('answers in both directions (%s)', async (query, rate) => {
    const there = await rowOf('ZMW/MVR', query);
    const back = await rowOf('MVR/ZMW', query);
    expect(there).toMatchObject({ date: '2026-03-18' });
    expect(back).toMatchObject({ date: '2026-03-18' });
    expect(there?.rate).toBeCloseTo(rate, 4);
    expect(back?.rate).toBeCloseTo(1 / rate, 4);
  });

  it('answers in both directions or in neither, whichever it is', async () => {
    const codes = ['EUR', 'MVR', 'MWK', 'USD', 'ZMW'];
    for (const date of ['2026-03-02', '2026-03-08', '2026-03-10', '2026-03-18', '2026-03-20']) {
      for (const [index, one] of codes.entries()) {
        for (const other of codes.slice(index + 1)) {
          const there = await rowOf(`${one}/${other}`, `?date=${date}`);
          const back = await rowOf(`${other}/${one}`, `?date=${date}`);
          expect([date, one, other, back !== undefined]).toEqual([date, one, other, there !== undefined]);
        }
      }
    }
  });
});
