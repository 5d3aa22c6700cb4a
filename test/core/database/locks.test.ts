import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import {
  inTurn,
  KEYED_LOCKS,
  LOCKS,
  lockData,
  lockProvider,
  ProviderBusy,
  whileLocked,
} from '../../../core/database/locks.js';
import { sql } from '../../../core/database/sql.js';
import { inBulkTransaction, inTransaction, type Transaction } from '../../../core/database/transactions.js';
import { event } from '../../support/event.js';
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
  const end = event();
  const first = inTransaction(database, async (transaction) => {
    await lockData(transaction);
    await end.happened;
    order.push('first');
  });
  await vi.waitFor(async () => expect(await heldLocks()).toBe(1));
  const second = inBulkTransaction(database, async (transaction) => {
    await lockData(transaction);
    order.push('second');
  });
  await vi.waitFor(async () => expect(await heldLocks('not granted')).toBe(1));
  end.happen();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

describe.each([
  ['of Prisma', inTransaction],
  ['on a plain connection', inBulkTransaction],
] as const)('the wait for the data in a transaction %s', (_kind, run) => {
  it('has no limit of time, and the statements after it have theirs', async () => {
    const hurried = openDatabase(database.url, { statementTimeoutMs: 300, connections: 1 });
    const limit = async (transaction: Transaction) =>
      (await transaction.query(sql`select current_setting('statement_timeout') as limit`))[0];
    const [held, end] = [event(), event()];
    const holder = inTransaction(database, async (transaction) => {
      await lockData(transaction);
      held.happen();
      await end.happened;
    });
    await held.happened;
    const waiter = run(hurried, async (transaction) => {
      const before = await limit(transaction);
      await lockData(transaction);
      expect(await limit(transaction)).toEqual(before);
    });
    try {
      await vi.waitFor(async () => expect(await heldLocks('not granted')).toBe(1));
      await delay(500);
      end.happen();
      await Promise.all([holder, waiter]);
      expect(await inTransaction(hurried, limit)).toEqual({ limit: '300ms' });
    } finally {
      end.happen();
      await hurried.close();
    }
  });
});

it('who waits for a lock gives up after the limit', async () => {
  const alone = <T>(work: () => Promise<T>) => whileLocked(database, LOCKS.backup, work, 20);
  const waiting = alone(() => alone(async () => 'both'));
  await expect(waiting).rejects.toMatchObject({ code: '55P03' });
  expect(await alone(async () => 'one')).toBe('one');
});

it('one session at a time holds a provider, until it gives it back or breaks', async () => {
  const held = await lockProvider(database, 'ECB');
  const other = await lockProvider(database, 'BOC');
  const busy = await lockProvider(database, 'ECB').catch((error: unknown) => error);
  expect(busy).toBeInstanceOf(ProviderBusy);
  expect(busy).toHaveProperty('message', 'ECB is being ingested by another job');
  held.check();
  expect(await heldLocks()).toBe(2);
  expect(await idleSessions()).toBe(2);
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

it('four APIs read all of history at a time, and others after them', async () => {
  const reading = openDatabase(database.url, { connections: 6 });
  const random = vi.spyOn(Math, 'random');
  const end = event();
  let running = 0;
  const turns = [0, 0.3, 0.6, 0.99, 0.1, 0.9].map((drawn) => {
    random.mockReturnValueOnce(drawn);
    return inTurn(reading, async () => {
      running++;
      await end.happened;
    });
  });
  random.mockRestore();
  try {
    await vi.waitFor(async () => expect([running, await heldLocks('not granted')]).toEqual([4, 2]));
  } finally {
    end.happen();
    await Promise.all(turns);
    await reading.close();
  }
  expect(running).toBe(6);
});

/** How many sessions hold a transaction open without doing anything. */
async function idleSessions(): Promise<number> {
  const { rowCount } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
  );
  return rowCount ?? 0;
}

async function heldLocks(granted = 'granted'): Promise<number> {
  const { rowCount } = await database.pool.query(
    `select from pg_locks where locktype = 'advisory' and ${granted}
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowCount ?? 0;
}
