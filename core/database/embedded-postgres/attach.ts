import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DataFolderInUseError, untilFolderIsFree } from './folder-lock.js';
import { runningServer } from './running-server.js';
import { databaseUrl, type EmbeddedPostgres, startEmbeddedPostgres } from './server.js';
import { EmbeddedPostgresError } from './start-error.js';

type Attached = Pick<EmbeddedPostgres, 'url' | 'stop'>;

/**
 * The server of the running service, or else one started for this command, which alone `stop()` stops. Throws
 * a DataFolderInUseError if the service runs in another container, as its server can't be reached from here.
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

async function serverOf(home: string): Promise<Attached | undefined> {
  const cluster = await realpath(join(home, 'postgres')).catch(() => undefined);
  const server = cluster === undefined ? undefined : await runningServer(cluster);
  if (!server) return undefined;
  const passwordFile = join(home, 'password');
  const password = await readFile(passwordFile, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `${passwordFile} can't be read while PostgreSQL (process ${server.pid}) runs on the data: restore the file, ` +
        'or restart the service, which sets a new password',
      { cause },
    );
  });
  return { url: databaseUrl(password, server.port), stop: async () => undefined };
}
