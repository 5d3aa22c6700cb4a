import type pg from 'pg';
import type { Logger } from 'pino';
import { reasonOf } from '../process/connection-errors.js';
import { type Migration, MigrationError } from './migrations.js';

/** How a program accesses the rates of a database: an API reads them, workers and commands write them. */
export type Access = 'read' | 'write';

/** The database lacks something that its user may not create. */
export class MigrationsMissing extends MigrationError {
  /** `missing` is what it lacks, such as `the migration 1_initial`, and `refusal` the server's error. */
  constructor(missing: string, refusal: unknown) {
    super(
      `the database lacks ${missing}, and its user may not create it (${reasonOf(refusal)}): run the command migrate as a user that may`,
    );
  }
}

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

export type Client = Pick<pg.ClientBase, 'query'>;

/**
 * Returns the migrations that the database lacks, oldest first. Throws a MigrationError if the database is
 * newer than this program supports or also lacks migrations, or if one was changed or left unfinished.
 */
export async function compareSchema(
  client: Client,
  migrations: readonly Migration[],
  { access, log }: { access: Access; log?: Logger | undefined },
): Promise<Migration[]> {
  const applied = await readApplied(client);
  for (const migration of migrations) checkUnchanged(migration, applied.get(migration.name));
  const missing = migrations.filter(({ name }) => !applied.has(name));
  const known = new Set(migrations.map(({ name }) => name));
  const newest = [...applied.keys()].findLast((name) => !known.has(name));
  if (newest !== undefined) {
    const oldest = await oldestProgram(client, access);
    if (oldest === undefined || (migrations.at(-1)?.name ?? '') < oldest) {
      throw new MigrationError(
        `the database belongs to a newer version of this program: it has the migration ${newest}` +
          (oldest === undefined ? '' : `, and serves none without ${oldest}`),
      );
    }
    if (missing[0]) {
      throw new MigrationError(
        `the database belongs to another version of this program: it has the migration ${newest}, but not ${missing[0].name}`,
      );
    }
    log?.warn({ migration: newest }, 'the database belongs to a newer version, which this one can work with');
  }
  return missing;
}

export async function readApplied(client: Client): Promise<Map<string, Applied>> {
  if (!(await exists(client, '_prisma_migrations'))) return new Map();
  const { rows } = await client.query<Applied>(
    `select migration_name, checksum, finished_at from _prisma_migrations
     where rolled_back_at is null order by migration_name collate "C"`,
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

/** The newest migration of the oldest program that the schema supports; undefined if the schema does not say. */
async function oldestProgram(client: Client, access: Access): Promise<string | undefined> {
  if (!(await exists(client, 'schema_compatibility'))) return undefined;
  const { rows } = await client.query<{ read: string; write: string }>(
    'select oldest_reader as read, oldest_writer as write from schema_compatibility',
  );
  return rows[0]?.[access];
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>(
    'select to_regclass($1) is not null as is_there',
    [table],
  );
  return rows[0]?.is_there === true;
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
