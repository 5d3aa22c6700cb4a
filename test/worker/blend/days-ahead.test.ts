import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEventLoop } from '../../../core/concurrency/event-loop.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import { addDays, type CalendarDate, dayNumber } from '../../../core/domain/dates.js';
import { verify } from '../../../core/domain/receipt/verify.js';
import { createReceipts } from '../../../src/rates/receipts/receipts.js';
import { daysToPick, onOrBefore } from '../../../src/rates/snapshot/day-pick.js';
import { loadSnapshot } from '../../../src/rates/snapshot/snapshot.js';
import { openRawStore } from '../../../src/rates/sources/raw-store.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { lookUpsOf, reader } from '../../src/rates/sources/in-memory.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let today: CalendarDate;
beforeAll(async () => {
  database = await testDatabase();
  await store('BOC', [-2, 1.3]);
  await store('ECB', [2, 1.4]);
  // The day of the data version, which the database's clock gives.
  const { rows } = await database.pool.query(
    `select (created_at at time zone 'UTC')::date::text as day from data_versions order by version desc limit 1`,
  );
  today = rows[0].day;
});
afterAll(() => database.close());

/** Stores a rate per dollar, so many days from now. */
async function store(provider: string, [days, rate]: [number, number], quote = 'CAD') {
  const { rows } = await database.pool.query(`select (now() at time zone 'UTC')::date::text as day`);
  const row = { date: addDays(rows[0].day, days), base: 'USD', quote, rate };
  await inTransaction(database, (transaction) => storeAndBlend(transaction, provider, [row]));
}

async function blendAhead(): Promise<number | undefined> {
  const { rows } = await database.pool.query(
    `select rate from blended_days where quote = 'CAD' and date = $1`,
    [addDays(today, 2)],
  );
  return rows[0]?.rate;
}

it('a rate that is dated ahead makes those of others no older', async () => {
  // Both weigh the same: on the day of the version, the one is two days old and the other is not old.
  expect(await blendAhead()).toBeCloseTo(1.35, 12);
});

it('its receipt says from which day ages are counted', async () => {
  const day = dayNumber(today) + 2;
  const raw = openRawStore(database, createEventLoop());
  const snapshot = await inOneView(database, loadSnapshot);
  const source = { snapshot, providers: undefined };
  const ground = { raw, snapshot, tomorrow: dayNumber(today) + 1 };
  const lookUps = await lookUpsOf(ground, { ...source, days: daysToPick(onOrBefore(day)) });
  const found = lookUps.find('USD', 'CAD', onOrBefore(day));
  if (!found) throw new Error('no rate');
  const asOf = new Date(snapshot.knownAt).toISOString();
  const url = `/v2/rate/USD/CAD?date=${addDays(today, 2)}&as_of=${asOf}&expand=receipt`;
  const pair = { base: 'USD', quote: 'CAD', asked: day, columns: lookUps.columnsFor('USD'), found };
  const receipt = await createReceipts({ raw, database })({ ...source, ...pair, url }, reader);
  expect(receipt.steps.weights).toEqual([
    { currency: 'CAD', date: addDays(today, 2), counted_from: today, total: 2, rate: found.rate },
  ]);
  expect(receipt.inputs.map(({ provider, weight }) => [provider, weight])).toEqual([
    ['BOC', 1],
    ['ECB', 1],
  ]);
  expect(verify(JSON.stringify(receipt))).toMatchObject({ rate: found.rate });
});

it('the first version of a day blends again what was ahead at the one before', async () => {
  await database.pool.query(`update blended_days set rate = 9 where date > $1`, [today]);
  await store('NB', [-30, 151], 'JPY');
  expect(await blendAhead()).toBe(9);
  await database.pool.query(`update data_versions set created_at = created_at - interval '1 day'`);
  await store('RBA', [-30, 151], 'JPY');
  expect(await blendAhead()).toBeCloseTo(1.35, 12);
});
