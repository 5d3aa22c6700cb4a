import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../process/start-failure.js';
import { LOCKS } from '../locks.js';
import { runningServer } from './lock-file.js';

const END_LIMIT_MS = 20_000;

/** Another running service uses the data folder. */
export class DataFolderInUseError extends StartError {
  override readonly name = 'DataFolderInUseError';
}

/**
 * Makes this process the owner of a server, by an advisory lock of a connection: PostgreSQL releases it when the
 * process ends in any way. Throws a DataFolderInUseError where another process is the owner, and the connection's
 * error if the server can't be reached.
 */
export async function own(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
  // The end of a server is noticed by its process, so errors of this connection are ignored.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ owned: boolean }>('select pg_try_advisory_lock($1) as owned', [
      LOCKS.embeddedServer,
    ]);
    if (rows[0]?.owned) return client;
  } catch (error) {
    await client.end();
    throw error;
  }
  await client.end();
  throw new DataFolderInUseError('the data folder is in use by another running service');
}

/**
 * Ends a server whose owner is gone, as after a SIGKILL, and waits until it has ended; `urlOf` gives its URL at a
 * port. Throws a DataFolderInUseError if it has an owner.
 */
export async function endOrphan(cluster: string, urlOf: (port: number) => string): Promise<void> {
  const limit = Date.now() + END_LIMIT_MS;
  for (let server = await runningServer(cluster); server; server = await runningServer(cluster)) {
    const owner = await own(urlOf(server.port)).catch((error: unknown) => {
      if (error instanceof DataFolderInUseError) throw error;
      return undefined; // Still starting or stopping: tried again below.
    });
    if (owner) {
      process.kill(server.pid, 'SIGINT');
      await owner.end();
    }
    if (Date.now() > limit) {
      throw new Error(`PostgreSQL of an earlier start (process ${server.pid}) does not end`);
    }
    await delay(100);
  }
}
