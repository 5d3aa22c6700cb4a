import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import * as locking from '../../../core/database/locks.js';
import { sql } from '../../../core/database/sql.js';
import { inBulkTransaction, inTransaction, type Transaction } from '../../../core/database/transactions.js';
import { event } from '../../support/event.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase();

const locks = async (granted = 'granted') =>
  await rowsOf(
    database,
    `select pid from pg_locks where locktype = 'advisory' and ${granted}
     and database = (select oid from pg_database where datname = current_database())`,
  );
const untilOneWaits = () => vi.waitFor(async () => expect(await locks('not granted')).toHaveLength(1));

it('no two locks have one number', () => {
  const numbers = Object.values(locking.LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it.each([
  ['of Prisma', inTransaction],
  ['on a plain connection', inBulkTransaction],
] as const)(
  'one transaction at a time has the data, and one %s waits without a limit',
  async (_kind, run) => {
    const hurried = openDatabase(database.url, { statementTimeoutMs: 300, connections: 1 });
    const limit = async (transaction: Transaction) =>
      (await transaction.query(sql`select current_setting('statement_timeout') as limit`))[0];
    const [held, end] = [event(), event()];
    const order: string[] = [];
    const holder = inTransaction(database, async (transaction) => {
      await locking.lockData(transaction);
      held.happen();
      await end.happened;
      order.push('first');
    });
    await held.happened;
    const waiter = run(hurried, async (transaction) => {
      const before = await limit(transaction);
      await locking.lockData(transaction);
      order.push('second');
      expect(await limit(transaction)).toEqual(before);
    });
    try {
      await untilOneWaits();
      await delay(400);
      end.happen();
      await Promise.all([holder, waiter]);
      expect(order).toEqual(['first', 'second']);
      expect(await inTransaction(hurried, limit)).toEqual({ limit: '300ms' });
    } finally {
      end.happen();
      await hurried.close();
    }
  },
);

it('who waits for a lock gives up after the limit', async () => {
  const alone = <T>(work: () => Promise<T>) => locking.whileLocked(database, locking.LOCKS.backup, work, 20);
  await expect(alone(() => alone(async () => 'both'))).rejects.toMatchObject({ code: '55P03' });
  expect(await alone(async () => 'one')).toBe('one');
});

it('one session at a time holds a provider, until it gives it back or breaks', async () => {
  const held = await locking.lockProvider(database, 'ECB');
  const other = await locking.lockProvider(database, 'BOC');
  const busy = await locking.lockProvider(database, 'ECB').catch((error: unknown) => error);
  expect(busy).toBeInstanceOf(locking.ProviderBusy);
  expect(busy).toHaveProperty('message', 'ECB is being ingested by another job');
  held.check();
  expect(await locks()).toHaveLength(2);
  const idle = `select from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`;
  expect(await rowsOf(database, idle)).toHaveLength(2);
  await held.release();
  const again = await locking.lockProvider(database, 'ECB');
  for (const [pid] of await locks()) await database.pool.query('select pg_terminate_backend($1)', [pid]);
  await vi.waitFor(() => expect(() => again.check()).toThrow('lost the lock on ECB'));
  await (await locking.lockProvider(database, 'ECB')).release();
  await other.release();
});

it('four APIs read all of history at a time, and others after them', async () => {
  const reading = openDatabase(database.url, { connections: 6 });
  const random = vi.spyOn(Math, 'random');
  const end = event();
  let running = 0;
  const turns = [0, 0.3, 0.6, 0.99, 0.1, 0.9].map((drawn) => {
    random.mockReturnValueOnce(drawn);
    return locking.inTurn(reading, async () => {
      running++;
      await end.happened;
    });
  });
  random.mockRestore();
  try {
    await vi.waitFor(async () => expect([running, (await locks('not granted')).length]).toEqual([4, 2]));
  } finally {
    end.happen();
    await Promise.all(turns);
    await reading.close();
  }
  expect(running).toBe(6);
});
