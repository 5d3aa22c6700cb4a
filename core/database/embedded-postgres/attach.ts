import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runningServer } from './lock-file.js';
import { DataFolderInUseError } from './owner.js';
import { databaseUrl, type EmbeddedPostgres, startEmbeddedPostgres } from './server.js';

/**
 * The embedded database for a command beside the running service: the service's own server where it runs, else
 * one started for the time of the command. `stop()` ends only a server that was started here.
 */
export async function attachEmbeddedPostgres(
  dataFolder: string,
): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>> {
  try {
    return await startEmbeddedPostgres(dataFolder);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    const home = resolve(dataFolder);
    const server = await runningServer(await realpath(join(home, 'postgres')));
    if (!server) throw error;
    const password = await readFile(join(home, 'password'), 'utf8');
    return { url: databaseUrl(password, server.port), stop: async () => undefined };
  }
}
