import { type FileHandle, open, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { clearMistakenLock, type RunningServer, runningServer } from './lock-file.js';
import { EmbeddedPostgresError } from './start-error.js';

const END_LIMIT_MS = 20_000;
const POLL_MS = 100;

/**
 * Opens and locks the file that a server prints to. All its processes inherit the lock, so the kernel knows,
 * even in another container, whether any still runs. Stops a server that has outlived its program, such as
 * after a SIGKILL. Throws an EmbeddedPostgresError. The caller holds the lock on the data folder.
 */
export async function lockServerLog(logFile: string, folder: string): Promise<FileHandle> {
  const log = await open(logFile, 'a', 0o600);
  try {
    const cluster = await realpath(folder).catch(() => undefined);
    const server = cluster === undefined ? undefined : await runningServer(cluster);
    if (!tryLock(log.fd)) await endOrphan(log, server);
    else if (server) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${server.pid}) runs on ${cluster}, which this version did not start: stop it first`,
      );
    }
    if (cluster !== undefined) await clearMistakenLock(cluster);
    await log.truncate();
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Asks a visible server to stop, and waits until all of its processes have ended. */
async function endOrphan(log: FileHandle, server: RunningServer | undefined): Promise<void> {
  const limit = performance.now() + END_LIMIT_MS;
  if (server) process.kill(server.pid, 'SIGINT');
  while (!tryLock(log.fd)) {
    if (performance.now() > limit) {
      const where = server ? `process ${server.pid}` : 'in another container';
      throw new EmbeddedPostgresError(`PostgreSQL of an earlier start (${where}) does not stop`);
    }
    await delay(POLL_MS);
  }
}
