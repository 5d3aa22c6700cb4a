import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { notifyParent } from '../process/lifecycle.js';
import { type Database, poolOf } from './database.js';
import { isForbidden } from './errors.js';
import { LOCKS, whileLocked } from './locks.js';
import { type Migration, readMigrations } from './migrations.js';
import { type Access, type Client, compareSchema, MigrationsMissing } from './schema-compatibility.js';

// Prisma's table, identical in every column, so that `prisma migrate status` and `deploy` continue to work.
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

/** Other statements queue behind a migration that waits for a table. Requests wait 2 s. */
const LOCK_TIMEOUT_MS = 1_000;
/** SQLSTATE after that time. */
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Long enough for an export to end. */
const TRY_MS = 30 * 60_000;

interface MigrateOptions {
  access?: Access;
  folder?: string;
  only?: readonly string[];
  log?: Logger;
  /** Stops waiting for a table that others use. */
  signal?: AbortSignal;
}

/**
 * Applies missing migrations, each in its own transaction. Several processes may call it concurrently. Throws
 * a MigrationError if this program can't bring the schema up to date, a MigrationsMissing if its user may not, and the
 * server's error if the SQL fails.
 */
export async function applyMigrations(
  database: Database,
  { access = 'write', folder, only, ...waiting }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const missingOf = async (client: Client) => {
    const missing = await compareSchema(client, migrations, { access, log: waiting.log });
    return missing.filter(({ name }) => only?.includes(name) ?? true);
  };
  // If the database is up to date, the user needs no right to create tables.
  const [first] = await missingOf(poolOf(database));
  if (!first) return [];
  const apply = async () => {
    const client = await poolOf(database).connect();
    try {
      await client.query(TABLE);
      const missing = await missingOf(client);
      for (const migration of missing) await applyPatiently(client, migration, waiting);
      return missing.map(({ name }) => name);
    } finally {
      // A failed migration may leave the connection unusable.
      client.release(true);
    }
  };
  return whileLocked(database, LOCKS.migrations, apply).catch((error: unknown) => {
    throw isForbidden(error) ? new MigrationsMissing(`the migration ${first.name}`, error) : error;
  });
}

/** Like `applyMigrations`, and logs what it applied. */
export async function prepareSchema(
  database: Database,
  options: MigrateOptions & { access: Access; log: Logger },
): Promise<void> {
  const startedAt = performance.now();
  const applied = await applyMigrations(database, options);
  if (applied.length === 0) return;
  const [migrations, ms] = [applied.length, Math.round(performance.now() - startedAt)];
  options.log.info({ migrations, last: applied.at(-1), ms }, 'database migrated');
  notifyParent({ type: 'migrated', migrations, ms });
}

async function applyPatiently(
  client: pg.PoolClient,
  migration: Migration,
  { log, signal }: MigrateOptions,
): Promise<void> {
  const limit = performance.now() + TRY_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || performance.now() > limit) throw error;
      log?.warn(
        { migration: migration.name, others: await longTransactions(client), pauseMs: pause },
        'a migration waits for a table that others use; retrying',
      );
      await delay(pause, undefined, signal && { signal });
    }
  }
}

/** The oldest transactions of others that use tables: most likely what a migration waits for. */
async function longTransactions(client: pg.PoolClient): Promise<unknown[]> {
  const { rows } = await client.query(
    `select pid, application_name as program, extract(epoch from now() - xact_start)::int as seconds, left(query, 80) as query
     from pg_stat_activity
     where datname = current_database() and exists (
       select from pg_locks join pg_class on pg_class.oid = relation
       where pg_locks.pid = pg_stat_activity.pid and granted and relnamespace = current_schema()::regnamespace)
     order by xact_start limit 3`,
  );
  return rows;
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query(`
      begin;
      set local lock_timeout = ${LOCK_TIMEOUT_MS};
      set local statement_timeout = 0;
      ${migration.sql}`);
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
