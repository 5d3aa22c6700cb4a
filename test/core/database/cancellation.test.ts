import { expect, it } from 'vitest';
import { endOnAbort } from '../../../core/database/cancellation.js';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { sql } from '../../../core/database/sql.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase();

/** A program's database, and what ends its connections. */
function openStoppable(connections: number) {
  const stopped = openDatabase(database.url, { connections });
  const stopping = new AbortController();
  const sleep = (seconds: number) => poolOf(stopped).query(`select pg_sleep(${seconds})`);
  endOnAbort(stopped, stopping.signal);
  return { stopped, stopping, sleep };
}

const sessions = () =>
  rowsOf(
    database,
    `select state from pg_stat_activity where datname = current_database() and query like 'select pg_sleep(300)%'`,
  );

it('what a program runs when it is asked to stop is cancelled, and what it begins then is refused', async () => {
  const { stopped, stopping, sleep } = openStoppable(2);
  const transaction = inTransaction(stopped, ({ execute }) => execute(sql`select pg_sleep(300)`));
  const running = [sleep(300), transaction].map((query) => query.catch((error: unknown) => error));
  await expect.poll(sessions).toEqual([['active'], ['active']]);
  stopping.abort();
  for (const query of running) expect(await query).toBeInstanceOf(Error);
  await expect(sleep(300)).rejects.toThrow();
  await stopped.close();
  await expect.poll(sessions, { timeout: 5_000 }).toEqual([]);
});

it('nothing ends where nothing is stopped, or nothing runs', async () => {
  const { stopped, sleep } = openStoppable(1);
  expect((await sleep(0.3)).rowCount).toBe(1);
  await stopped.close();
});
