import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { startEmbeddedPostgres } from '../../../core/database/embedded-postgres/server.js';
import { lockData } from '../../../core/database/locks.js';
import { DATA_LOCK, isSettled, readRecordingInstant } from '../../../core/database/recording-instant.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { databaseTime, type TestDatabase, testDatabase } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/postgres-server.js';

const MINUTE_MS = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const now = async () => (await databaseTime(database)).getTime();

it('an instant is settled once it is past, by the clock of the database', async () => {
  expect(await isSettled(database, await now())).toBe(true);
  expect(await isSettled(database, (await now()) + MINUTE_MS)).toBe(false);
});

it('is not while a writer that began before it is under way', async () => {
  const before = (await now()) - 1;
  await inTransaction(database, async (transaction) => {
    await lockData(transaction);
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
  const url = new URL(database.url);
  url.username = role;
  url.password = 'reader';
  const reader = openDatabase(url.toString(), { connections: 1 });
  try {
    await inTransaction(database, async (transaction) => {
      await lockData(transaction);
      expect(await isSettled(reader, await now())).toBe(false);
    });
    expect(await isSettled(reader, await now())).toBe(true);
  } finally {
    await reader.close();
    await database.pool.query(`drop role ${role}`);
  }
});

it('is, whoever waits for the lock', async () => {
  const [waiting, holding] = [await database.pool.connect(), await database.pool.connect()];
  try {
    await waiting.query('begin');
    const locksOf = () => database.pool.query('select from pg_locks where objid = $1', [DATA_LOCK]);
    const between = await now();
    await expect.poll(now).toBeGreaterThan(between);
    await holding.query('begin');
    await holding.query('select pg_advisory_xact_lock($1)', [DATA_LOCK]);
    const taken = waiting.query('select pg_advisory_xact_lock($1)', [DATA_LOCK]);
    await expect.poll(async () => (await locksOf()).rowCount).toBe(2);
    expect(await isSettled(database, between)).toBe(true);
    await holding.query('commit');
    await taken;
    expect(await isSettled(database, between)).toBe(false);
  } finally {
    waiting.release(true);
    holding.release(true);
  }
});

it('is, whatever is locked in another database', async () => {
  const other = await testDatabase();
  try {
    await inTransaction(other, async (transaction) => {
      await lockData(transaction);
      expect(await isSettled(database, await now())).toBe(true);
    });
  } finally {
    await other.close();
  }
});

it.each([
  `select pg_advisory_xact_lock(0, ${DATA_LOCK})`,
  `select pg_advisory_xact_lock(${DATA_LOCK + 2 ** 32})`,
])('is, whatever else is locked under nearly the same number: %s', async (lock) => {
  await inTransaction(database, async ({ client }) => {
    await client.query(lock);
    expect(await isSettled(database, await now())).toBe(true);
  });
});

it('is the millisecond after the current one or the newest version, and stays the same in a transaction', async () => {
  const chosen = () =>
    inTransaction(database, async (transaction) => {
      const before = await now();
      await lockData(transaction);
      const instant = await readRecordingInstant(transaction);
      expect(instant).toBeGreaterThan(before);
      await expect.poll(now).toBeGreaterThan(instant);
      await lockData(transaction);
      expect(await readRecordingInstant(transaction)).toBe(instant);
      return instant;
    });
  const later = (await now()) + MINUTE_MS;
  expect(await chosen()).toBeLessThan(later);
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

it('is not for a replica, until that is promoted', async () => {
  const folder = await temporaryFolder();
  let server = await startEmbeddedPostgres(folder, { fsync: 'off' });
  try {
    await server.stop();
    await writeFile(join(folder, 'postgres', 'standby.signal'), '');
    server = await startEmbeddedPostgres(folder, { fsync: 'off' });
    const replica = openDatabase(server.url, { connections: 1 });
    try {
      expect(await isSettled(replica, 0)).toBe(false);
      await poolOf(replica).query('select pg_promote()');
      expect(await isSettled(replica, 0)).toBe(true);
    } finally {
      await replica.close();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
