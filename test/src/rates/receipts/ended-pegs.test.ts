import { afterAll, beforeAll, expect, it } from 'vitest';
import { verify } from '../../../../core/domain/receipt/verify.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith } from '../../../support/rates.js';
import { row } from '../sources/in-memory.js';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith([
    // The mark before the euro, to which it is pegged since.
    row('CBBH 1998-12-30 USD/BAM 1.67'),
    row('ECB 1999-01-04 EUR/USD 1.1789'),
    row('CBR 2014-12-31 USD/TMT 2.85'),
    row('ECB 2025-06-27 EUR/USD 1.2'),
    row('ECB 2025-06-30 EUR/USD 1.25'),
    row('ECB 2025-07-04 EUR/USD 1.35'),
  ]);
  api = await startApi(database, { clock: () => new Date('2025-07-04T20:00:00Z') });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

it.each([
  ['USD/ANG', '2025-06-30', '2025-06-30', 1.79, ['ANG']],
  ['USD/ANG', '2025-07-04', '2025-06-30', 1.79, ['ANG']],
  ['ANG/EUR', '2025-07-04', '2025-06-30', 0.44693, ['ANG']],
  ['USD/TMT', '2014-12-31', '2014-12-31', 2.85, []],
  ['USD/BAM', '1998-12-30', '1998-12-30', 1.67, []],
  ['EUR/BAM', '1999-01-04', '1999-01-04', 1.95583, ['BAM']],
])('a receipt of %s on %s names the peg that was in force', async (pair, date, observed, rate, pegged) => {
  const response = await fetch(`${api.url}/v2/rate/${pair}?date=${date}&expand=receipt`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const answer = JSON.parse(text);
  expect(answer).toMatchObject({ date: observed, rate });
  expect(answer.receipt.steps.peg.map(({ currency }: { currency: string }) => currency)).toEqual(pegged);
  expect(verify(text)).toMatchObject({ date: observed });
});
