import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { projectFolder } from '../process/project-files.js';
import { StartError } from '../process/start-failure.js';
import { type Database, poolOf } from './database.js';
import { LOCKS } from './locks.js';

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** A database whose migrations can't be brought up to date; the message names the migration. */
class MigrationError extends StartError {
  override readonly name = 'MigrationError';
}

// Prisma's table, column by column, so that `prisma migrate status` and `deploy` continue to work.
const TABLE = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key not null,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`;

const FOLDER = join(projectFolder, 'prisma', 'migrations');

/** The names of all migrations that this program has, oldest first. */
export async function migrationNames(): Promise<string[]> {
  return (await readMigrations(FOLDER)).map(({ name }) => name);
}

/**
 * Applies what is missing of `prisma/migrations`, each migration in its own transaction, and returns the names
 * applied; with `only`, none but those. Safe to call from several processes at once. Throws a MigrationError where an applied migration has
 * changed since, an earlier attempt was left unfinished or a newer version of the program has been there, and the server's error where the SQL fails.
 */
export async function applyMigrations(
  database: Database,
  folder = FOLDER,
  only?: readonly string[],
): Promise<string[]> {
  const all = await readMigrations(folder);
  const migrations = only ? all.filter(({ name }) => only.includes(name)) : all;
  const client = await poolOf(database).connect();
  let broken: Error | undefined;
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
    await client.query('set client_min_messages = warning');
    await client.query(TABLE);
    return await applyMissing(client, migrations);
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // Closing the connection releases the lock in any case.
    client.release(broken ?? true);
  }
}

async function applyMissing(client: pg.PoolClient, migrations: readonly Migration[]): Promise<string[]> {
  const { rows } = await client.query<Applied>(
    'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row]));
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = rows.find((row) => !known.has(row.migration_name));
  if (unknown) {
    throw new MigrationError(
      `the database belongs to a newer version of this program: it has the migration ${unknown.migration_name}`,
    );
  }
  for (const migration of migrations) checkUnchanged(migration, applied.get(migration.name));
  const missing = migrations.filter((migration) => !applied.has(migration.name));
  for (const migration of missing) await apply(client, migration);
  return missing.map((migration) => migration.name);
}

function checkUnchanged(migration: Migration, applied: Applied | undefined): void {
  if (!applied) return;
  if (applied.finished_at === null) {
    throw new MigrationError(`migration ${migration.name} was started but never finished`);
  }
  if (applied.checksum !== migration.checksum) {
    throw new MigrationError(`migration ${migration.name} was changed after it was applied`);
  }
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      // A checkout may turn line ends into CRLF; Prisma compares checksums regardless of that, and so do we.
      const sql = (await readFile(join(folder, name, 'migration.sql'), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
