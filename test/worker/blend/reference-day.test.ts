import { afterAll, expect, it } from 'vitest';
import { addDays, dayNumber } from '../../../core/domain/dates.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { testDatabase } from '../../support/postgres.js';
import { ratesOf, readLines, storeIn } from '../ingest/support.js';
import { openReceipts } from './support.js';

const database = await testDatabase();
afterAll(() => database.close());

const [today = ''] = await readLines(database, `select (now() at time zone 'UTC')::date::text`);
async function store(provider: string, days: number, rate: number, quote = 'EGP') {
  await storeIn(database, provider, ratesOf(`USD/${quote}`)(addDays(today, days), rate));
}
async function blendOf(days: number) {
  const date = addDays(today, days);
  const query = `select rate from blended_days where quote = 'EGP' and date = '${date}'`;
  return Number((await readLines(database, query))[0]);
}
// Four days apart: a weight of exp(-0.5).
const WEIGHT = Math.exp(-0.5);
const EXPECTED = (31 + 30 * WEIGHT) / (1 + WEIGHT);

it('ages are counted from the newest row, whenever it is recorded and whatever follows', async () => {
  await store('CBA', -3, 30);
  await store('CBK', 1, 31);
  expect(await blendOf(1)).toBeCloseTo(EXPECTED, 10);
  await database.pool.query(`update data_versions set created_at = created_at - interval '1 day'`);
  await store('RBA', -30, 151, 'JPY');
  expect(await blendOf(1)).toBeCloseTo(EXPECTED, 10);
  await rebuild(database);
  expect(await blendOf(1)).toBeCloseTo(EXPECTED, 10);
});

it('a receipt weighs the rows from the same day', async () => {
  const { receiptOf } = await openReceipts(database);
  const day = dayNumber(today) + 1;
  const { receipt } = (await receiptOf('USD', 'EGP', day, day)) ?? {};
  expect(receipt?.inputs.map(({ provider, weight }) => `${provider} ${weight}`)).toEqual([
    `CBA ${WEIGHT}`,
    'CBK 1',
  ]);
});
