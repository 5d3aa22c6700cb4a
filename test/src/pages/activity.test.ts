import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { openActivity } from '../../../src/pages/activity.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, someRates } from '../../support/rates.js';

const TODAY = '2026-03-20';

let database: TestDatabase;
beforeEach(async () => {
  database = await databaseWith(someRates());
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

it('is read once for all who ask in a minute, and then anew', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const read = openActivity(database);
  const [first, second] = await Promise.all([read(TODAY), read(TODAY)]);
  expect(second).toBe(first);
  expect(first.get('ECB')?.incompleteDays).toEqual([]);
  // The first of ninety days; one that publishes every day has rates since the first of the month.
  expect(first.get('NBU')?.days[0]).toBe('2025-12-21');
  const thin = `values ('ECB', date '2026-03-19', 1, 30)`;
  await database.pool.query(`insert into thin_days (provider, date, currencies, usual) ${thin}`);
  vi.advanceTimersByTime(59_999);
  expect(await read(TODAY)).toBe(first);
  vi.advanceTimersByTime(1);
  expect((await read(TODAY)).get('ECB')?.incompleteDays).toEqual(['2026-03-19']);
});

it('is the last one while the database cannot be reached', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const own = openDatabase(database.url, { connections: 1 });
  const read = openActivity(own);
  const first = await read(TODAY);
  await own.close();
  vi.advanceTimersByTime(60_000);
  expect(await read(TODAY)).toBe(first);
});

it('is a 503 where it could never be read, and other errors stay what they are', async () => {
  const nowhere = openDatabase('postgres://almanac@127.0.0.1:1/none', { connections: 1 });
  const unavailable = { status: 503, headers: { 'retry-after': '5' } };
  await expect(openActivity(nowhere)(TODAY)).rejects.toMatchObject(unavailable);
  await nowhere.close();
  await database.pool.query('drop table thin_days cascade');
  await expect(openActivity(database)(TODAY)).rejects.not.toMatchObject({ status: 503 });
});
