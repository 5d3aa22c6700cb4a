import { cancelOnAbort } from '../../core/database/cancellation.js';
import { type Database, openDatabase } from '../../core/database/database.js';
import { attachEmbeddedPostgres } from '../../core/database/embedded-postgres/attach.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { reachDatabase } from '../../core/database/wait-for-database.js';
import { type Announcements, openAnnouncements } from '../../core/queues/announcements.js';
import type { Session } from './session.js';

/** The database that a command works on, and how to tell running services that something changed. */
export interface OpenDatabase {
  database: Database;
  announcements: Announcements;
  /** Names of the migrations that were missing. */
  migrated: readonly string[];
}

/**
 * Does work on the database, brought up to date first: the one at DATABASE_URL, else the embedded one, which is
 * the running service's own or is started for as long as the work takes. Once the command is to stop, the
 * statements that are running are cancelled, and with them the transactions that they belong to.
 */
export async function useDatabase<T>(session: Session, work: (open: OpenDatabase) => Promise<T>): Promise<T> {
  const { config, log } = session;
  const embedded =
    config.DATABASE_URL === undefined ? await attachEmbeddedPostgres(config.DATA_DIR) : undefined;
  const database = openDatabase(config.DATABASE_URL ?? embedded?.url ?? '', {
    log,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  const announcements = await openAnnouncements({ database, redisUrl: config.REDIS_URL, log });
  const cancellation = cancelOnAbort(database, session.stopping, log);
  try {
    await reachDatabase(database, log);
    const migrated = await applyMigrations(database);
    session.stopping.throwIfAborted();
    return await work({ database, announcements, migrated });
  } finally {
    cancellation.release();
    await announcements.close();
    await database.close();
    await cancellation.closed();
    await embedded?.stop();
  }
}

const CONNECT_TIMEOUT_MS = 60_000;
