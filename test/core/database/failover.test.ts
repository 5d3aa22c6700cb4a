import { afterAll, expect, it, vi } from 'vitest';
import { openDatabase, prismaOf } from '../../../core/database/database.js';
import { isUnavailable } from '../../../core/database/errors.js';
import { sql } from '../../../core/database/sql.js';
import { inBulkTransaction, inTransaction, type Transaction } from '../../../core/database/transactions.js';
import { ownDatabase } from '../support.js';

const direct = await ownDatabase();
const database = openDatabase(direct.url, { lifetimeSeconds: 1 });
afterAll(() => database.close());

const NAME = new URL(direct.url).pathname.slice(1);
const write = (transaction: Transaction) =>
  transaction.execute(sql`insert into refusal_phrases (phrase) values (gen_random_uuid()::text)`);
const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

/** New connections find a server that can only be read, as after its demotion; those that there are break. */
async function demote(): Promise<void> {
  await direct.pool.query(`alter database ${NAME} set default_transaction_read_only = on`);
  await direct.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

it('a server that can only be read any more is one that is away, and its connections are not kept', async () => {
  await inTransaction(database, write);
  await demote();
  const runs = [inTransaction, inBulkTransaction].map((run) => errorOf(run(database, write)));
  // The first ones may find their connections broken (57P01).
  for (const failure of await Promise.all(runs)) expect(isUnavailable(failure)).toBe(true);
  await vi.waitFor(async () => {
    const readOnly = await errorOf(inTransaction(database, write));
    expect([readOnly, isUnavailable(readOnly)]).toMatchObject([{ code: '25006' }, true]);
  });
  expect(await prismaOf(database).refusalPhrase.count()).toBe(1);

  await direct.pool.query(
    `begin; set transaction read write; alter database ${NAME} reset default_transaction_read_only; commit`,
  );
  await vi.waitFor(() => inBulkTransaction(database, write));
  await vi.waitFor(() => inTransaction(database, write));
  expect(await prismaOf(database).refusalPhrase.count()).toBe(3);
});
