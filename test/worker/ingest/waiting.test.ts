import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { lockData } from '../../../core/database/locks.js';
import { ping } from '../../../core/database/statistics.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit, type Store, storeAlone } from '../../../worker/ingest/group-commit.js';
import { event } from '../../support/event.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, feedOf, ingestFrom, newestRun, readRows, runOf } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const rows: RateRow[] = [{ date: '2026-03-02', base: 'EUR', quote: 'USD', rate: 1.1 }];

const waiting = () =>
  readRows(
    database,
    `select from pg_locks where locktype = 'advisory' and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );

/** Runs something while another writer has the data, as one that blends all history again. */
async function whileWriting(work: () => Promise<void>): Promise<void> {
  const [begin, end] = [event(), event()];
  const writer = inTransaction(database, async (transaction) => {
    await lockData(transaction);
    begin.happen();
    await end.happened;
  });
  await begin.happened;
  await work().finally(end.happen);
  await writer;
}

describe.each<[string, (database: TestDatabase) => Store]>([
  ['alone', storeAlone],
  ['in a group', groupCommit],
])('rows that are stored %s', (_how, storeOf) => {
  it('wait for a long writer on one connection, and the others are free', async () => {
    const keys = ['BOC', 'ECB', 'NB', 'RBA'];
    const runs = await Promise.all(keys.map((key) => runOf(database, key)));
    const few = openDatabase(database.url, { connections: 2, connectTimeoutMs: 500 });
    const store = storeOf({ ...database, ...few });
    try {
      let storing: Promise<unknown> = Promise.resolve();
      await whileWriting(async () => {
        storing = Promise.all(runs.map((run, index) => store(keys[index] ?? '', rows, run, async () => {})));
        storing.catch(() => undefined); // It is looked at below.
        await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1);
        await delay(1_000); // Longer than it may take to get a connection.
        await ping(few, 2_000);
        expect(await waiting()).toHaveLength(1);
      });
      expect(await storing).toMatchObject(keys.map(() => ({ rowsNew: 1 })));
    } finally {
      await few.close();
    }
  });

  it('that the database does not take are no fault of the provider', async () => {
    await database.pool.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refuse before insert on rates for each row execute function refuse()`,
    );
    let isHeldAgainst = false;
    const failing = ingestFrom(database, feedOf('ECB', rows), {
      store: storeOf(database),
      onFailure: async () => {
        isHeldAgainst = true;
      },
    });
    try {
      await expect(failing).rejects.toThrow('refused');
    } finally {
      await database.pool.query('drop trigger refuse on rates');
    }
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: 'refused' });
    expect(await readRows(database, 'select last_error from providers')).toEqual([[null]]);
    expect(isHeldAgainst).toBe(false);
  });
});
