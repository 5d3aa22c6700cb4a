import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DataFolderInUseError, untilFolderIsFree } from './folder-lock.js';
import { runningServer } from './lock-file.js';
import { databaseUrl, type EmbeddedPostgres, startEmbeddedPostgres } from './server.js';
import { EmbeddedPostgresError } from './start-error.js';

type Attached = Pick<EmbeddedPostgres, 'url' | 'stop'>;

/**
 * Provides the embedded database to a command: the server of the running service, or else a server started for the command.
 * `stop()` only stops a server that was started here. Throws a DataFolderInUseError if the service runs in another
 * container, as its server can't be reached from here.
 */
export async function attachEmbeddedPostgres(dataFolder: string): Promise<Attached> {
  return untilFolderIsFree.execute(async () => {
    try {
      return await startEmbeddedPostgres(dataFolder);
    } catch (error) {
      const server = error instanceof DataFolderInUseError ? await serverOf(resolve(dataFolder)) : undefined;
      if (!server) throw error;
      return server;
    }
  });
}

/** The server that another program on this machine runs on the data, once it has started. */
async function serverOf(home: string): Promise<Attached | undefined> {
  const cluster = await realpath(join(home, 'postgres')).catch(() => undefined);
  const server = cluster === undefined ? undefined : await runningServer(cluster);
  if (!server) return undefined;
  const passwordFile = join(home, 'password');
  const password = await readFile(passwordFile, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `${passwordFile} can't be read while PostgreSQL (process ${server.pid}) runs on the data: bring the file back, ` +
        'or restart the service, which sets a new password',
      { cause },
    );
  });
  return { url: databaseUrl(password, server.port), stop: async () => undefined };
}
