import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { lockData } from '../../../core/database/locks.js';
import { DATA_LOCK, isSettled, recordingInstant } from '../../../core/database/recording-instant.js';
import { sql } from '../../../core/database/sql.js';
import { inTransaction, type Transaction } from '../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../core/domain/providers.js';
import { databaseTime, type TestDatabase } from '../../support/postgres.js';
import { sharedDatabase } from '../../support/shared.js';
import { ownDatabase, rowsOf } from '../support.js';

const MINUTE_MS = 60_000;

const database = await ownDatabase();
const now = async () => (await databaseTime(database)).getTime();
/** Does something while a writer has the data of a database. */
const whileWriting = (other: TestDatabase, work: () => Promise<void>) =>
  inTransaction(other, async (transaction) => {
    await lockData(transaction);
    await work();
  });

it('an instant is settled once it is past, by the clock of the database', async () => {
  expect(await isSettled(database, await now())).toBe(true);
  expect(await isSettled(database, (await now()) + MINUTE_MS)).toBe(false);
});

it('is not while a writer that began before it is under way', async () => {
  const before = (await now()) - 1;
  await whileWriting(database, async () => {
    // The transaction may have begun in this millisecond.
    await expect.poll(now).toBeGreaterThan(await now());
    expect(await isSettled(database, await now())).toBe(false);
    expect(await isSettled(database, before)).toBe(true);
  });
  expect(await isSettled(database, await now())).toBe(true);
});

it('is not while a writer of another role is, of which only the lock can be seen', async () => {
  const role = `reader_${randomBytes(4).toString('hex')}`;
  await database.pool.query(`create role ${role} login password 'reader'`);
  const url = Object.assign(new URL(database.url), { username: role, password: 'reader' });
  const reader = openDatabase(url.toString(), { connections: 1 });
  try {
    await whileWriting(database, async () => expect(await isSettled(reader, await now())).toBe(false));
    expect(await isSettled(reader, await now())).toBe(true);
  } finally {
    await reader.close();
    await database.pool.query(`drop role ${role}`);
  }
});

it('does not depend on who waits for the lock', async () => {
  const [waiting, holding] = [await database.pool.connect(), await database.pool.connect()];
  try {
    await waiting.query('begin');
    const between = await now();
    await expect.poll(now).toBeGreaterThan(between);
    await holding.query('begin');
    await holding.query('select pg_advisory_xact_lock($1)', [DATA_LOCK]);
    const taken = waiting.query('select pg_advisory_xact_lock($1)', [DATA_LOCK]);
    const locks = () => rowsOf(database, 'select pid from pg_locks where objid = $1', [DATA_LOCK]);
    await expect.poll(locks).toHaveLength(2);
    expect(await isSettled(database, between)).toBe(true);
    await holding.query('commit');
    await taken;
    expect(await isSettled(database, between)).toBe(false);
  } finally {
    waiting.release(true);
    holding.release(true);
  }
});

it('is, whatever is locked in another database, or under nearly the same number', async () => {
  const expectSettled = async () => expect(await isSettled(database, await now())).toBe(true);
  await whileWriting(await sharedDatabase([]), expectSettled);
  for (const lock of [`0, ${DATA_LOCK}`, `${DATA_LOCK + 2 ** 32}`])
    await inTransaction(database, async ({ client }) => {
      await client.query(`select pg_advisory_xact_lock(${lock})`);
      await expectSettled();
    });
});

async function readRecordingInstant(transaction: Transaction): Promise<number> {
  const [row] = await transaction.query<{ at: Date }>(sql`select ${recordingInstant} as at`);
  return Number(row?.at);
}

it('is the millisecond after the current one or the newest version, and stays the same in a transaction', async () => {
  const later = (await now()) + MINUTE_MS;
  await inTransaction(database, async (transaction) => {
    const before = await now();
    await lockData(transaction);
    const instant = await readRecordingInstant(transaction);
    expect(instant).toBeGreaterThan(before);
    expect(instant).toBeLessThan(later);
    await expect.poll(now).toBeGreaterThan(instant);
    await lockData(transaction);
    expect(await readRecordingInstant(transaction)).toBe(instant);
  });
  await database.pool.query(
    `insert into data_versions (changed_from, changed_to, method, created_at) values ('2026-03-02', '2026-03-02', $2, $1)`,
    [new Date(later), BLEND_METHOD],
  );
  const after = await inTransaction(database, async (transaction) => {
    await lockData(transaction);
    return readRecordingInstant(transaction);
  });
  expect(after).toBe(later + 1);
});
