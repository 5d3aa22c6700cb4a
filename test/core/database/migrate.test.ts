import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { applyMigrations, prepareSchema } from '../../../core/database/migrate.js';
import { MigrationError } from '../../../core/database/migrations.js';
import { MigrationsMissing } from '../../../core/database/schema-compatibility.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { emptyDatabase, type TestDatabase } from '../../support/postgres.js';

const INITIAL = '20261121100000_initial';
const COMPATIBILITY = '20261123060000_compatibility';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await emptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'almanac-migrations-'));
  await cp(join(projectFolder, 'prisma', 'migrations', INITIAL), join(folder, INITIAL), { recursive: true });
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function recorded() {
  const { rows } = await database.pool.query(
    'select migration_name, checksum, finished_at, applied_steps_count from _prisma_migrations order by 1',
  );
  return rows;
}

test('applies what is missing, once', async () => {
  expect(await applyMigrations(database, { folder })).toEqual([INITIAL]);
  expect(await applyMigrations(database, { folder })).toEqual([]);
  expect(await recorded()).toEqual([
    {
      migration_name: INITIAL,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      finished_at: expect.any(Date),
      applied_steps_count: 1,
    },
  ]);
  expect(await database.prisma.rate.count()).toBe(0);
});

test('is not done by a program that may not, which says what is missing', async () => {
  const options = { access: 'write', log: pino({ level: 'silent' }) } as const;
  await expect(prepareSchema(database, { ...options, migrate: false })).rejects.toThrow(MigrationsMissing);
  await prepareSchema(database, { ...options, migrate: true });
  await prepareSchema(database, { ...options, migrate: false });
  expect(await applyMigrations(database)).toEqual([]);
});

test('reads only where nothing is missing', async () => {
  await applyMigrations(database, { folder });
  const url = new URL(database.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const reading = openDatabase(url.toString(), { log: pino({ level: 'silent' }) });
  await expect(poolOf(reading).query('create table more ()')).rejects.toThrow('read-only transaction');
  expect(await applyMigrations(reading, { folder })).toEqual([]);
  await reading.close();
});

test('applies once where several processes start together', async () => {
  const results = await Promise.all([1, 2, 3].map(() => applyMigrations(database, { folder })));
  expect(results.flat()).toEqual([INITIAL]);
  expect(await recorded()).toHaveLength(1);
});

test('names an applied migration that has changed since', async () => {
  await applyMigrations(database, { folder });
  await writeFile(join(folder, INITIAL, 'migration.sql'), 'select 1;');
  await expect(applyMigrations(database, { folder })).rejects.toThrow(`migration ${INITIAL} was changed`);
});

test('names a migration that was never finished', async () => {
  await applyMigrations(database, { folder });
  await database.pool.query('update _prisma_migrations set finished_at = null');
  await expect(applyMigrations(database, { folder })).rejects.toThrow(`migration ${INITIAL} was started`);
});

test('leaves nothing of a migration that fails, and applies it once it is repaired', async () => {
  await applyMigrations(database, { folder });
  const next = '20270101000000_next';
  await cp(join(folder, INITIAL), join(folder, next), { recursive: true });
  await writeFile(join(folder, next, 'migration.sql'), 'create table half (id int); select nothing_here;');
  await expect(applyMigrations(database, { folder })).rejects.toThrow('nothing_here');
  expect(await recorded()).toHaveLength(1);
  await writeFile(join(folder, next, 'migration.sql'), 'create table half (id int);');
  expect(await applyMigrations(database, { folder })).toEqual([next]);
});

describe('a database that a newer version of the program has migrated', () => {
  const next = '20270101000000_next';

  /** Has a later version migrate the database, by this SQL. */
  async function migratedBy(sql: string): Promise<void> {
    await mkdir(join(folder, next));
    await writeFile(join(folder, next, 'migration.sql'), sql);
    await applyMigrations(database, { folder });
    await rm(join(folder, next), { recursive: true });
  }
  const copyCompatibility = () =>
    cp(join(projectFolder, 'prisma', 'migrations', COMPATIBILITY), join(folder, COMPATIBILITY), {
      recursive: true,
    });

  test('is refused where it does not tell whom it serves', async () => {
    await migratedBy('create table newer (id int);');
    await expect(applyMigrations(database, { folder })).rejects.toThrow(
      `the database belongs to a newer version of this program: it has the migration ${next}`,
    );
    await database.pool.query(
      'update _prisma_migrations set rolled_back_at = now() where migration_name = $1',
      [next],
    );
    expect(await applyMigrations(database, { folder })).toEqual([]);
  });

  test('is used where that only added something, and the log says so', async () => {
    await copyCompatibility();
    await migratedBy('create table newer (id int);');
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    expect(await applyMigrations(database, { folder, access: 'write', log })).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      new RegExp(`"migration":"${next}".*newer version, which this one can work with`),
    );
  });

  test('is left alone where it also lacks something', async () => {
    await copyCompatibility();
    await migratedBy('create table newer (id int);');
    await mkdir(join(folder, '20261231000000_other'));
    await writeFile(join(folder, '20261231000000_other', 'migration.sql'), 'create table other (id int);');
    await expect(applyMigrations(database, { folder })).rejects.toThrow(
      `another version of this program: it has the migration ${next}, but not 20261231000000_other`,
    );
  });

  test('is read only, or not at all, where it says so', async () => {
    await copyCompatibility();
    await migratedBy(`update schema_compatibility set oldest_writer = '${next}';`);
    expect(await applyMigrations(database, { folder, access: 'read' })).toEqual([]);
    await expect(applyMigrations(database, { folder, access: 'write' })).rejects.toThrow(
      `it has the migration ${next}, and serves none without ${next}`,
    );
    await database.pool.query(`update schema_compatibility set oldest_reader = '${next}'`);
    await expect(applyMigrations(database, { folder, access: 'read' })).rejects.toThrow(MigrationError);
  });
});

test('a migration that waits for a table stops nobody else, and is done when the table is free', async () => {
  await applyMigrations(database, { folder });
  const next = '20270101000000_next';
  await mkdir(join(folder, next));
  await writeFile(join(folder, next, 'migration.sql'), 'alter table rates add column more int;');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const [idle, exporting, later] = await Promise.all([1, 2, 3].map(() => database.pool.connect()));
  if (!idle || !exporting || !later) throw new Error('no connections');
  await idle.query('begin; select 1 as nothing');
  await exporting.query('begin; select 1 from rates');
  await later.query('begin; select 2 from rates');
  const migrating = applyMigrations(database, { folder, log });
  try {
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), 30_000);
    const other = (query: string) => ({
      pid: expect.any(Number),
      program: 'almanac',
      seconds: expect.any(Number),
      query,
    });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      migration: next,
      others: [other('begin; select 1 from rates'), other('begin; select 2 from rates')],
      pauseMs: 1_000,
    });
    // It waits at first, with whoever comes then behind it, and gives way.
    const reader = await database.pool.connect();
    await reader.query('set statement_timeout = 10000');
    for (let count = 0; count < 20; count++) await reader.query('select 1 from rates');
    reader.release();
  } finally {
    for (const client of [idle, exporting, later]) {
      await client.query('commit');
      client.release();
    }
  }
  expect(await migrating).toEqual([next]);
});
