import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../core/database/database.js';
import { startEmbeddedPostgres } from '../core/database/embedded-postgres/server.js';
import { applyMigrations } from '../core/database/migrate.js';

/** Runs work on a database of its own, which is removed afterwards. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-tool-'));
  // PostgreSQL may run as another user than this one.
  await chmod(folder, 0o755);
  try {
    const server = await startEmbeddedPostgres(join(folder, 'data'));
    const database = openDatabase(server.url);
    try {
      await applyMigrations(database);
      return await work(database);
    } finally {
      await database.close();
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
