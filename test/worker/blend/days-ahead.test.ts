import { afterAll, expect, it } from 'vitest';
import { addDays, type CalendarDate, dayNumber } from '../../../core/domain/dates.js';
import { testDatabase } from '../../support/postgres.js';
import { ratesOf, readLines, storeIn } from '../ingest/support.js';
import { openReceipts } from './support.js';

const database = await testDatabase();
afterAll(() => database.close());

const dayBy = async (query: string) => String((await readLines(database, query))[0]);
/** Stores a rate per dollar, of a day counted from now. */
async function store(provider: string, days: number, rate: number, quote = 'CAD') {
  const now = await dayBy(`select (now() at time zone 'UTC')::date::text`);
  await storeIn(database, provider, ratesOf(`USD/${quote}`)(addDays(now, days), rate));
}
await store('BOC', -2, 1.3);
await store('ECB', 2, 1.4);
// The day of the data version, which the database's clock gives.
const today: CalendarDate = await dayBy(
  `select (created_at at time zone 'UTC')::date::text from data_versions order by version desc limit 1`,
);
const ahead = addDays(today, 2);
const AHEAD = `select rate from blended_days where quote = 'CAD' and date = '${ahead}'`;
const blendAhead = async () => Number((await readLines(database, AHEAD))[0]);

it('a rate that is dated ahead makes those of others no older', async () => {
  // Both weigh the same: on the day of the version, the one is two days old and the other is not old.
  expect(await blendAhead()).toBeCloseTo(1.35, 12);
});

it('its receipt says from which day ages are counted', async () => {
  const { receiptOf } = await openReceipts(database);
  const { receipt, rate } = (await receiptOf('USD', 'CAD', dayNumber(ahead), dayNumber(today) + 1)) ?? {};
  const weights = { currency: 'CAD', date: ahead, counted_from: today, total: 2, rate };
  expect(receipt?.steps.weights).toEqual([weights]);
  expect(receipt?.inputs.map(({ provider, weight }) => `${provider} ${weight}`)).toEqual(['BOC 1', 'ECB 1']);
});

it('the first version of a day blends again what was ahead at the one before', async () => {
  await database.pool.query(`update blended_days set rate = 9 where date > $1`, [today]);
  await store('NB', -30, 151, 'JPY');
  expect(await blendAhead()).toBe(9);
  await database.pool.query(`update data_versions set created_at = created_at - interval '1 day'`);
  await store('RBA', -30, 151, 'JPY');
  expect(await blendAhead()).toBeCloseTo(1.35, 12);
});
