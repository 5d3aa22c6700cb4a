import { afterAll, beforeAll, expect, it } from 'vitest';
import { roundForDisplay } from '../../../../core/domain/rounding.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith } from '../../../support/rates.js';

const EUROS = { '2026-03-16': 1.15, '2026-03-17': 1.18, '2026-03-18': 1.11 };
const PEG = 655.957;
const OF_FOUR = '/v2/rates?base=XOF&quotes=EUR,USD,XAF,XOF';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith([
    ...Object.entries(EUROS).map(([date, rate]) => ({
      provider: 'ECB',
      date,
      base: 'EUR',
      quote: 'USD',
      rate,
    })),
    // The franc of West Africa is published on the first day only, that of Central Africa never.
    { provider: 'BCEAO', date: '2026-03-16', base: 'USD', quote: 'XOF', rate: 570 },
  ]);
  api = await startApi(database, { clock: () => new Date('2026-03-18T12:00:00Z') });
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function rates(path: string): Promise<Record<string, number>> {
  const response = await fetch(`${api.url}${path}`);
  const rows = (await response.json()) as { date: string; quote: string; rate: number }[];
  return Object.fromEntries(rows.map(({ date, quote, rate }) => [`${date} ${quote}`, rate]));
}

it('holds a pegged base to its peg on days on which only its anchor is published', async () => {
  const expected = Object.fromEntries(
    Object.entries(EUROS).flatMap(([date, dollars]) => [
      [`${date} EUR`, roundForDisplay(1 / PEG)],
      [`${date} USD`, roundForDisplay(dollars / PEG)],
      [`${date} XAF`, 1],
      [`${date} XOF`, 1],
    ]),
  );
  expect(await rates(`${OF_FOUR}&from=2026-03-16`)).toEqual(expected);
  for (const date of Object.keys(EUROS)) {
    const ofDay = Object.fromEntries(Object.entries(expected).filter(([key]) => key.startsWith(date)));
    expect(await rates(`${OF_FOUR}&date=${date}`)).toEqual(ofDay);
    expect(await rates(`${OF_FOUR}&date=${date}&expand=providers`)).toEqual(ofDay);
  }
  expect(await rates('/v2/rates?base=XOF&quotes=EUR')).toEqual({
    '2026-03-18 EUR': roundForDisplay(1 / PEG),
  });
});

it('leaves a provider its own rates', async () => {
  expect(await rates('/v2/rates?base=XOF&providers=BCEAO&quotes=USD&date=2026-03-18')).toEqual({
    '2026-03-16 USD': roundForDisplay(1 / 570),
  });
});
