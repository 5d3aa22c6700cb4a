import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as locks from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit } from '../../../worker/ingest/group-commit.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, feedOf, ingestFrom, newestRun, readRows, runOf } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const read = (query: string) => readRows(database, query);
const store = (provider: string, date: string, rate: number, quote = 'CAD') =>
  inTransaction(database, (transaction) =>
    storeAndBlend(transaction, provider, [{ date, base: 'USD', quote, rate }]),
  );

const dollarsIn = async (date: string) =>
  (await read(`select rate from blended_days where date = '${date}' and quote = 'CAD'`))[0]?.[0];

describe('a correction', () => {
  it.each([
    ['downward', 1.4, 1.3],
    ['upward', 1.3, 1.4],
    ['in the last digit', 1.3, 1.299_999_999_99],
  ])('%s leaves a revision', async (_how, before, after) => {
    await store('BOC', '2026-03-02', before);
    expect(await store('BOC', '2026-03-02', after)).toMatchObject({ rowsNew: 0, rowsCorrected: 1 });
    expect(await read('select rate from rate_revisions')).toEqual([[before]]);
    expect(await read('select rate from rates')).toEqual([[after]]);
  });

  it('reaches as far as the row is carried: fourteen days, of other providers too', async () => {
    const age = (days: number) => Math.exp(-0.5 * (days - 3));
    await store('BOC', '2026-03-02', 1.3);
    await store('NB', '2026-03-16', 1.5);
    expect(await dollarsIn('2026-03-16')).toBeCloseTo((1.5 + 1.3 * age(14)) / (1 + age(14)), 12);
    await store('BOC', '2026-03-02', 1.4);
    expect(await dollarsIn('2026-03-16')).toBeCloseTo((1.5 + 1.4 * age(14)) / (1 + age(14)), 12);
    expect(await rebuild(database)).toBeUndefined();
    await store('RBA', '2026-03-17', 1.5);
    expect(await dollarsIn('2026-03-17')).toBeCloseTo(1.5, 12);
  });
});

const rows: RateRow[] = [{ date: '2026-03-02', base: 'EUR', quote: 'USD', rate: 1.1 }];

describe("a provider's lock", () => {
  it('that broke while the bank was read stores nothing', async () => {
    const breakLock = async () => {
      const { rowCount } = await database.pool.query(
        `select pg_terminate_backend(pid) from pg_locks
         where locktype = 'advisory' and classid = $1
           and database = (select oid from pg_database where datname = current_database())`,
        [locks.KEYED_LOCKS.provider],
      );
      expect(rowCount).toBe(1);
      await delay(200);
      return rows;
    };
    await expect(ingestFrom(database, feedOf('ECB', breakLock))).rejects.toThrow('lost the lock on ECB');
    expect(await read('select from rates')).toEqual([]);
    expect(await newestRun(database)).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('lost the lock on ECB'),
    });
  });

  it('is given back before the ingest ends', async () => {
    const { lockProvider } = locks;
    let isReleased = false;
    const locking = vi.spyOn(locks, 'lockProvider').mockImplementation(async (...args) => {
      const lock = await lockProvider(...args);
      return {
        check: () => lock.check(),
        async release() {
          await delay(100);
          await lock.release();
          isReleased = true;
        },
      };
    });
    try {
      await ingestFrom(database, feedOf('ECB', rows));
    } finally {
      locking.mockRestore();
    }
    expect(isReleased).toBe(true);
  });
});

it('a version of several providers names none, one of a single provider names it', async () => {
  const storing = groupCommit(database);
  const keys = ['BOC', 'ECB', 'NB'];
  const runs = await Promise.all(keys.map((key) => runOf(database, key)));
  // The first to arrive is stored alone, those that arrive meanwhile together.
  const stored = await Promise.all(
    runs.map((run, index) => storing(keys[index] ?? '', rows, run, async () => {})),
  );
  expect(stored[1]?.version).toBe(stored[2]?.version);
  await storing('RBA', rows, await runOf(database, 'RBA'), async () => {});
  expect((await read('select provider from data_versions order by version')).flat()).toEqual([
    'BOC',
    null,
    'RBA',
  ]);
});
