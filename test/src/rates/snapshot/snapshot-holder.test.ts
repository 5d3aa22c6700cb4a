import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { rateAt } from '../../../../core/columns/columns.js';
import { addDays, dayNumber } from '../../../../core/domain/dates.js';
import { openSnapshotHolder } from '../../../../src/rates/snapshot/snapshot-holder.js';
import { testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';

const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

test('the snapshot follows every ingest, also of older history', async () => {
  const database = await testDatabase();
  closings.push(() => database.close());
  const holder = openSnapshotHolder({ database, log: pino({ level: 'silent' }) });
  closings.push(() => holder.close());
  const newest = '2026-03-20';
  // More than ten versions: 10 comes after 9.
  for (let ingest = 0; ingest < 12; ingest++) {
    const date = addDays(newest, -30 * ingest);
    await storeRows(database, [
      { provider: 'ECB', date, base: 'EUR', quote: 'USD', rate: 1.1 + ingest / 100 },
    ]);
    await holder.catchUp();
    const held = holder.current();
    expect(held?.dataVersion).toBe(BigInt(ingest + 1));
    const euro = held?.days.byQuote.get('EUR');
    expect([...(held?.days.days ?? [])]).toEqual(
      Array.from({ length: ingest + 1 }, (_, index) => dayNumber(addDays(newest, -30 * (ingest - index)))),
    );
    expect(euro && rateAt(euro, 0)).toBeCloseTo(1 / (1.1 + ingest / 100), 10);
  }
});

test('of many that start together four read all of history at a time', async () => {
  const database = await testDatabase();
  closings.push(() => database.close());
  const others = await database.pool.connect();
  closings.push(async () => others.release(true));
  await others.query(
    'begin; select pg_advisory_xact_lock(lock) from generate_series(72707372, 72707375) as lock',
  );
  const holder = openSnapshotHolder({ database, log: pino({ level: 'silent' }) });
  closings.push(() => holder.close());
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await vi.waitFor(async () => expect((await database.pool.query(waiting)).rowCount).toBe(1));
  expect(holder.current()).toBeUndefined();
  await others.query('rollback');
  await holder.ready();
  expect(holder.current()?.dataVersion).toBe(0n);
});
