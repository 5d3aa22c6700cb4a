import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../process/start-failure.js';
import { LOCKS } from '../locks.js';
import { hasLivingStarter, runningServer } from './lock-file.js';
import { EmbeddedPostgresError } from './start-error.js';

const END_LIMIT_MS = 20_000;

/** Another running service uses the data folder. */
export class DataFolderInUseError extends StartError {
  override readonly name = 'DataFolderInUseError';

  constructor() {
    super('the data folder is in use by another running service');
  }
}

/**
 * Makes this process the owner of a server: a lock held by a connection, so that it ends with the process,
 * however that ends. Throws a DataFolderInUseError where another process is the owner, after having waited that long
 * for it to let go, and the connection's error where the server doesn't answer.
 */
export async function own(url: string, { waitMs = 0 } = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
  // The end of a server is noticed by its process, so errors of this connection are ignored.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // A limit of 0 would be none.
    await client.query(`set lock_timeout = ${Math.max(1, waitMs)}`);
    await client.query('select pg_advisory_lock($1)', [LOCKS.embeddedServer]);
    return client;
  } catch (error) {
    await client.end();
    throw isLockTimeout(error) ? new DataFolderInUseError() : error;
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/**
 * Ends a server whose owner is gone, as after a SIGKILL, and waits until it has ended; `urlOf` gives its URL at
 * a port. Throws a DataFolderInUseError where it has an owner, or a starter that lives and is about to own it.
 */
export async function endOrphan(cluster: string, urlOf: (port: number) => string): Promise<void> {
  const limit = performance.now() + END_LIMIT_MS;
  for (let server = await runningServer(cluster); server; server = await runningServer(cluster)) {
    const owner = await own(urlOf(server.port)).catch((error: unknown) => {
      if (error instanceof DataFolderInUseError) throw error;
      return undefined; // Still starting or stopping: tried again below.
    });
    if (owner && (await hasLivingStarter(cluster, server.pid))) {
      await owner.end();
      throw new DataFolderInUseError();
    }
    if (owner) {
      process.kill(server.pid, 'SIGINT');
      await owner.end();
    }
    if (performance.now() > limit) {
      throw new EmbeddedPostgresError(`PostgreSQL of an earlier start (process ${server.pid}) does not end`);
    }
    await delay(100);
  }
}
