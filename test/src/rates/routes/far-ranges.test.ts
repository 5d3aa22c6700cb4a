import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays } from '../../../../core/domain/dates.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith, someRates } from '../../../support/rates.js';

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await databaseWith(someRates('2026-02-02'));
  api = await startApi(database, { clock: () => new Date('2026-03-20T18:00:00Z') });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

async function rows(query: string): Promise<{ date: string }[]> {
  const response = await fetch(`${api.url}/v2/rates?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  return (await response.json()) as { date: string }[];
}

const EVER = 'from=0100-01-01&to=9999-12-31';

it.each(
  ['', '&group=week', '&group=month', '&group=quarter', '&group=year', '&group=range'].flatMap((group) =>
    ['', '&providers=ECB', '&providers=ECB,BOC', '&expand=providers'].map((filter) => group + filter),
  ),
)('a range of all years%s has the rows that there are', async (parameters) => {
  const ever = await rows(`${EVER}${parameters}`);
  expect(ever.length).toBeGreaterThan(0);
  if (parameters.includes('range')) return;
  expect(ever).toEqual(await rows(`from=2025-12-01&to=2026-12-31${parameters}`));
});

it.each(['', '&providers=ECB', '&quotes=USD', '&fill_days=3'])(
  'days that are filled begin with the first and end with the last that has anything to fill%s',
  async (parameters) => {
    const ever = await rows(`${EVER}&fill=forward${parameters}`);
    const [first, last] = [ever[0]?.date ?? '', ever.at(-1)?.date ?? ''];
    expect(ever).toEqual(await rows(`from=${first}&to=${last}&fill=forward${parameters}`));
    expect(await rows(`from=${addDays(last, 1)}&to=9999-12-31&fill=forward${parameters}`)).toEqual([]);
    expect(await rows(`from=0100-01-01&to=${addDays(first, -1)}&fill=forward${parameters}`)).toEqual([]);
  },
);
