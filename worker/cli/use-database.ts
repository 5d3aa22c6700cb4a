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
 * Runs the work on the database at DATABASE_URL, or else the embedded one, of the running service or started
 * for this command. Applies missing migrations first, unless the work does so itself. Stopping the command
 * cancels its statements, and rolls back their transactions.
 */
export async function useDatabase<T>(
  session: Session,
  work: (open: OpenDatabase) => Promise<T>,
  { prepare = true }: { prepare?: boolean } = {},
): Promise<T> {
  const { config, log } = session;
  const embedded =
    config.DATABASE_URL === undefined ? await attachEmbeddedPostgres(dataFolder(config)) : undefined;
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const database = openDatabase(url, { log, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const announcements = await openAnnouncements({ database, redisUrl: config.REDIS_URL, log });
  endOnAbort(database, session.stopping);
  try {
    await tryDatabase(database);
    if (prepare) await prepareSchema(database, { access: 'write', log, signal: session.stopping });
    session.stopping.throwIfAborted();
    return await work({ url, database, announcements });
  } finally {
    await announcements.close();
    await database.close();
    await embedded?.stop();
  }
}

const CONNECT_TIMEOUT_MS = 60_000;
