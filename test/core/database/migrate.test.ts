import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyMigrations } from '../../../core/database/migrate.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { emptyDatabase, type TestDatabase } from '../../support/postgres.js';

const INITIAL = '20261121100000_initial';

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
  expect(await applyMigrations(database, folder)).toEqual([INITIAL]);
  expect(await applyMigrations(database, folder)).toEqual([]);
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

test('applies once where several processes start together', async () => {
  const results = await Promise.all([1, 2, 3].map(() => applyMigrations(database, folder)));
  expect(results.flat()).toEqual([INITIAL]);
  expect(await recorded()).toHaveLength(1);
});

test('names an applied migration that has changed since', async () => {
  await applyMigrations(database, folder);
  await writeFile(join(folder, INITIAL, 'migration.sql'), 'select 1;');
  await expect(applyMigrations(database, folder)).rejects.toThrow(`migration ${INITIAL} was changed`);
});

test('names a migration that was never finished', async () => {
  await applyMigrations(database, folder);
  await database.pool.query('update _prisma_migrations set finished_at = null');
  await expect(applyMigrations(database, folder)).rejects.toThrow(`migration ${INITIAL} was started`);
});

test('leaves nothing of a migration that fails, and applies it once it is repaired', async () => {
  await applyMigrations(database, folder);
  const next = '20270101000000_next';
  await cp(join(folder, INITIAL), join(folder, next), { recursive: true });
  await writeFile(join(folder, next, 'migration.sql'), 'create table half (id int); select nothing_here;');
  await expect(applyMigrations(database, folder)).rejects.toThrow('nothing_here');
  expect(await recorded()).toHaveLength(1);
  await writeFile(join(folder, next, 'migration.sql'), 'create table half (id int);');
  expect(await applyMigrations(database, folder)).toEqual([next]);
});

test('refuses a database that a newer version of the program has migrated', async () => {
  const next = '20270101000000_next';
  await cp(join(folder, INITIAL), join(folder, next), { recursive: true });
  await writeFile(join(folder, next, 'migration.sql'), 'create table newer (id int);');
  await applyMigrations(database, folder);
  await rm(join(folder, next), { recursive: true });
  await expect(applyMigrations(database, folder)).rejects.toThrow(
    `the database belongs to a newer version of this program: it has the migration ${next}`,
  );
  await database.pool.query(
    'update _prisma_migrations set rolled_back_at = now() where migration_name = $1',
    [next],
  );
  expect(await applyMigrations(database, folder)).toEqual([]);
});
