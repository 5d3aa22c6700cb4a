import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { applyMigrations, prepareSchema } from '../../../core/database/migrate.js';
import { MigrationError } from '../../../core/database/migrations.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { emptyDatabase, type TestDatabase } from '../../support/postgres.js';
import { openLog } from '../../worker/ingest/support.js';
import { ownFolder, rowsOf } from '../support.js';

const INITIAL = '20261121100000_initial';
const COMPATIBILITY = '20261123060000_compatibility';
const NEXT = '20270101000000_next';

let database: TestDatabase;
const inFolder = ownFolder();
beforeEach(async () => {
  database = await emptyDatabase();
  await copyMigration(INITIAL);
});
afterEach(() => database.close());

const copyMigration = (name: string) =>
  cp(join(projectFolder, 'prisma', 'migrations', name), inFolder(name), { recursive: true });
async function writeMigration(name: string, sql: string): Promise<void> {
  await mkdir(inFolder(name), { recursive: true });
  await writeFile(inFolder(name, 'migration.sql'), sql);
}
const apply = (options: Parameters<typeof applyMigrations>[1] = {}) =>
  applyMigrations(database, { folder: inFolder(), ...options });
const recorded = () =>
  rowsOf(
    database,
    'select migration_name, checksum, finished_at, applied_steps_count from _prisma_migrations',
  );

it('applies what is missing once, also where several processes start together', async () => {
  expect((await Promise.all([1, 2, 3].map(() => apply()))).flat()).toEqual([INITIAL]);
  expect(await apply()).toEqual([]);
  expect(await recorded()).toEqual([[INITIAL, expect.stringMatching(/^[0-9a-f]{64}$/), expect.any(Date), 1]]);
  expect(await database.prisma.rate.count()).toBe(0);
});

it('on a database that is read-only, says what is missing, and needs nothing where it is all there', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const reading = openDatabase(url.toString(), { log: openLog().log });
  await expect(poolOf(reading).query('create table more ()')).rejects.toThrow('read-only transaction');
  const options = { access: 'write', folder: inFolder(), log: openLog().log } as const;
  const refused = new RegExp(`the migration ${INITIAL}, and its user may not create it \\(.*read-only`);
  await expect(prepareSchema(reading, options)).rejects.toThrow(refused);
  await apply();
  await prepareSchema(reading, options);
  await reading.close();
});

it('reads what is applied in a database with another style of dates', async () => {
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name');
  await database.pool.query(`alter database "${rows[0]?.name}" set datestyle = 'German'`);
  const german = openDatabase(database.url);
  await applyMigrations(german, { folder: inFolder() });
  expect(await applyMigrations(german, { folder: inFolder() })).toEqual([]);
  await german.close();
});

it('names an applied migration that was not finished, or has changed since', async () => {
  await apply();
  await database.pool.query('update _prisma_migrations set finished_at = null');
  await expect(apply()).rejects.toThrow(`migration ${INITIAL} was started`);
  await database.pool.query('update _prisma_migrations set finished_at = now()');
  await writeMigration(INITIAL, 'select 1;');
  await expect(apply()).rejects.toThrow(`migration ${INITIAL} was changed`);
});

it('leaves nothing of a migration that fails, and applies it once it is repaired', async () => {
  await apply();
  await writeMigration(NEXT, 'create table half (id int); select nothing_here;');
  await expect(apply()).rejects.toThrow('nothing_here');
  expect(await recorded()).toHaveLength(1);
  await writeMigration(NEXT, 'create table half (id int);');
  expect(await apply()).toEqual([NEXT]);
});

describe('a database that a newer version of the program has migrated', () => {
  /** Has a later version migrate the database, by this SQL. */
  async function migratedBy(sql: string): Promise<void> {
    await writeMigration(NEXT, sql);
    await apply();
    await rm(inFolder(NEXT), { recursive: true });
  }

  it('is refused where it does not say whom it serves', async () => {
    await migratedBy('create table newer (id int);');
    await expect(apply()).rejects.toThrow(
      `the database belongs to a newer version of this program: it has the migration ${NEXT}`,
    );
    await database.pool.query(
      `update _prisma_migrations set rolled_back_at = now() where migration_name = '${NEXT}'`,
    );
    expect(await apply()).toEqual([]);
  });

  it('is used with a warning where that only added something, and left alone where it lacks something', async () => {
    await copyMigration(COMPATIBILITY);
    await migratedBy('create table newer (id int);');
    const { log, lines } = openLog();
    expect(await apply({ access: 'write', log })).toEqual([]);
    const msg = expect.stringContaining('newer version, which this one can work with');
    expect(lines.filter(({ level }) => Number(level) >= 40)).toMatchObject([{ migration: NEXT, msg }]);
    await writeMigration('20261231000000_other', 'create table other (id int);');
    await expect(apply()).rejects.toThrow(
      `another version of this program: it has the migration ${NEXT}, but not 20261231000000_other`,
    );
  });

  it('is read only, or not at all, where it says so', async () => {
    await copyMigration(COMPATIBILITY);
    await migratedBy(`update schema_compatibility set oldest_writer = '${NEXT}';`);
    expect(await apply({ access: 'read' })).toEqual([]);
    await expect(apply({ access: 'write' })).rejects.toThrow(
      `it has the migration ${NEXT}, and serves none without ${NEXT}`,
    );
    await database.pool.query(`update schema_compatibility set oldest_reader = '${NEXT}'`);
    await expect(apply({ access: 'read' })).rejects.toThrow(MigrationError);
  });
});

it('a migration that waits for a table stops nobody else, and is done when the table is free', async () => {
  await apply();
  await writeMigration(NEXT, 'alter table rates add column more int;');
  const { log, lines } = openLog();
  const clients = await Promise.all([1, 2, 3, 4].map(() => database.pool.connect()));
  const queries = ['begin; select 1 as nothing', 'begin; select 1 from rates', 'begin; select 2 from rates'];
  for (const [index, query] of queries.entries()) await clients[index]?.query(query);
  const migrating = apply({ log });
  try {
    const warning = await vi.waitUntil(() => lines.find(({ level }) => level === 40), 30_000);
    const others = queries.slice(1).map((query) => ({
      ...{ pid: expect.any(Number), program: 'almanac', seconds: expect.any(Number), query },
    }));
    expect(warning).toMatchObject({ migration: NEXT, others, pauseMs: 1_000 });
    // It waits at first, with later statements queued behind it, and gives way.
    await clients[3]?.query('set statement_timeout = 10000');
    for (let count = 0; count < 20; count++) await clients[3]?.query('select 1 from rates');
  } finally {
    for (const client of clients) {
      await client.query('commit');
      client.release();
    }
  }
  expect(await migrating).toEqual([NEXT]);
});
