import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Database, openDatabase, prismaOf } from '../../../core/database/database.js';
import { isUnavailable } from '../../../core/database/errors.js';
import { sql } from '../../../core/database/sql.js';
import { inBulkTransaction, inTransaction, type Transaction } from '../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let direct: TestDatabase;
let database: Database;
beforeEach(async () => {
  direct = await testDatabase();
  database = openDatabase(direct.url, { lifetimeSeconds: 1 });
});
afterEach(async () => {
  await database.close();
  await direct.close();
});

const write = (transaction: Transaction) =>
  transaction.execute(sql`insert into refusal_phrases (phrase) values (gen_random_uuid()::text)`);
const name = () => new URL(direct.url).pathname.slice(1);

/** New connections find a server that can only be read, as after its demotion; those that there are break. */
async function demote(): Promise<void> {
  await direct.pool.query(`alter database ${name()} set default_transaction_read_only = on`);
  await direct.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

it('a server that can only be read any more is one that is away, and its connections are not kept', async () => {
  await inTransaction(database, write);
  await demote();
  const failures = await Promise.all(
    [inTransaction, inBulkTransaction].map((run) => run(database, write).catch((error: unknown) => error)),
  );
  // The first ones may find their connections broken (57P01).
  for (const failure of failures) expect(isUnavailable(failure)).toBe(true);
  const readOnly = await vi.waitFor(async () => {
    const error: unknown = await inTransaction(database, write).catch((reason: unknown) => reason);
    expect(error).toHaveProperty('code', '25006');
    return error;
  });
  expect(isUnavailable(readOnly)).toBe(true);
  expect(await prismaOf(database).refusalPhrase.count()).toBe(1);

  const { pool } = direct;
  await pool.query(
    `begin; set transaction read write; alter database ${name()} reset default_transaction_read_only; commit`,
  );
  await vi.waitFor(() => inBulkTransaction(database, write));
  await vi.waitFor(() => inTransaction(database, write));
  expect(await prismaOf(database).refusalPhrase.count()).toBe(3);
});
