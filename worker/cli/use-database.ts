import { endOnAbort } from '../../core/database/cancellation.js';
import { type Database, openDatabase } from '../../core/database/database.js';
import { attachEmbeddedPostgres } from '../../core/database/embedded-postgres/server.js';
import { prepareSchema } from '../../core/database/migrate.js';
import { tryDatabase } from '../../core/database/wait-for-database.js';
import { dataFolder } from '../../core/process/config.js';
import { type Announcements, openAnnouncements } from '../../core/queues/announcements.js';
import type { Session } from './session.js';

export interface OpenDatabase {
  url: string;
  database: Database;
  announcements: Announcements;
}

/**
 * Opens the database at DATABASE_URL, or else the embedded one, of the running service or started for this
 * command, until the command ends. Applies missing migrations first, unless the command does so itself.
 * Stopping the command cancels its statements, and rolls back their transactions.
 */
export async function useDatabase(
  { config, log, stopping, closings }: Session,
  { prepare = true }: { prepare?: boolean } = {},
): Promise<OpenDatabase> {
  const embedded =
    config.DATABASE_URL === undefined ? await attachEmbeddedPostgres(dataFolder(config)) : undefined;
  if (embedded) closings.push(() => embedded.stop());
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const database = openDatabase(url, { log, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  closings.push(() => database.close());
  const announcements = await openAnnouncements({ database, redisUrl: config.REDIS_URL, log });
  closings.push(() => announcements.close());
  endOnAbort(database, stopping);
  await tryDatabase(database);
  if (prepare) await prepareSchema(database, { access: 'write', log, signal: stopping });
  stopping.throwIfAborted();
  return { url, database, announcements };
}

const CONNECT_TIMEOUT_MS = 60_000;
