import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { KEYED_LOCKS, LOCKS, lockData, lockProvider, ProviderBusy } from '../../../core/database/locks.js';
import { inBulkTransaction, inTransaction } from '../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it.each([LOCKS, KEYED_LOCKS])('no two locks of one kind have one number', (locks) => {
  const numbers = Object.values(locks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it('one transaction at a time holds the data, of whichever kind', async () => {
  const order: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = inTransaction(database, async (transaction) => {
    await lockData(transaction);
    await ended;
    order.push('first');
  });
  await vi.waitFor(async () => expect(await heldLocks()).toBe(1));
  const second = inBulkTransaction(database, async (transaction) => {
    await lockData(transaction);
    order.push('second');
  });
  await vi.waitFor(async () => expect(await heldLocks('not granted')).toBe(1));
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

it('one session at a time holds a provider, until it gives it back or breaks', async () => {
  const held = await lockProvider(database, 'ECB');
  const other = await lockProvider(database, 'BOC');
  await expect(lockProvider(database, 'ECB')).rejects.toBeInstanceOf(ProviderBusy);
  held.check();
  await held.release();
  const again = await lockProvider(database, 'ECB');
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = $1
     and database = (select oid from pg_database where datname = current_database())`,
    [KEYED_LOCKS.provider],
  );
  await vi.waitFor(() => expect(() => again.check()).toThrow('lost the lock on ECB'));
  const third = await lockProvider(database, 'ECB');
  await Promise.all([third.release(), other.release()]);
});

async function heldLocks(granted = 'granted'): Promise<number> {
  const { rowCount } = await database.pool.query(
    `select from pg_locks where locktype = 'advisory' and ${granted}
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowCount ?? 0;
}
