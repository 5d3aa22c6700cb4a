import { type Database, openDatabase } from '../../core/database/database.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { reachDatabase } from '../../core/database/wait-for-database.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { attachEmbeddedPostgres } from '../../core/process/embedded-postgres/attach.js';
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
  const connections = watchConnections(database);
  const release = cancelOnStop(database, connections.ids, session);
  try {
    await reachDatabase(database, log);
    const migrated = await applyMigrations(database);
    session.stopping.throwIfAborted();
    return await work({ database, announcements, migrated });
  } finally {
    release();
    await announcements.close();
    await database.close();
    await connections.closed();
    await embedded?.stop();
  }
}

const CONNECT_TIMEOUT_MS = 60_000;
const CANCEL_EVERY_MS = 100;

const CLOSE_LIMIT_MS = 2_000;

/** The server's process ids of the pool's connections; `closed()` waits for those that are still being closed. */
function watchConnections({ pool }: Database): { ids: ReadonlySet<number>; closed(): Promise<void> } {
  const ids = new Set<number>();
  const idOf = (client: object) =>
    'processID' in client && typeof client.processID === 'number' ? client.processID : 0;
  let settle = () => {};
  pool.on('connect', (client) => ids.add(idOf(client)));
  pool.on('remove', (client) => {
    ids.delete(idOf(client));
    if (ids.size === 0) settle();
  });
  return {
    ids,
    closed: () =>
      new Promise((resolve) => {
        settle = resolve;
        if (ids.size === 0) resolve();
        else setTimeout(resolve, CLOSE_LIMIT_MS).unref();
      }),
  };
}

/** Once the command is to stop, cancels what its connections are running, again and again until released. */
function cancelOnStop(
  { pool }: Database,
  connections: ReadonlySet<number>,
  { stopping, log }: Session,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    pool
      .query('select pg_cancel_backend(pid) from unnest($1::int[]) as pid where pid <> pg_backend_pid()', [
        [...connections],
      ])
      .catch((error: unknown) => log.debug({ reason: reasonOf(error) }, 'nothing could be cancelled'));
  };
  const begin = () => {
    cancel();
    timer = setInterval(cancel, CANCEL_EVERY_MS);
  };
  stopping.addEventListener('abort', begin, { once: true });
  return () => {
    stopping.removeEventListener('abort', begin);
    clearInterval(timer);
  };
}
