import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { tryLock } from 'fs-native-extensions';
import { ifMissingFile } from '../../process/replace-file.js';
import { EmbeddedPostgresError } from './folder-lock.js';

const run = promisify(execFile);

interface RunningServer {
  pid: number;
  port: number;
}

/** Undefined if none runs. Without Linux's /proc as `processes`, identifies a server only by its process name. */
export async function runningServer(folder: string, processes = '/proc'): Promise<RunningServer | undefined> {
  const lock = await readLock(folder);
  return lock && (await runsOn(folder, lock.pid, processes)) ? lock : undefined;
}

/**
 * Removes a lock file whose process ID now belongs to another program, as after a crash and restart of a
 * container. Every other stale file is left to PostgreSQL, which also looks for survivors of the crashed
 * server.
 */
export async function clearMistakenLock(cluster: string): Promise<void> {
  const lock = await readLock(cluster);
  if (lock && isAlive(lock.pid) && !(await runsOn(cluster, lock.pid, '/proc'))) {
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  }
}

async function readLock(cluster: string): Promise<RunningServer | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ifMissingFile);
  const [pid = 0, , , port = 0] = (text ?? '').split('\n').map((line) => Number.parseInt(line, 10));
  return pid > 0 ? { pid, port } : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A PostgreSQL server's working directory is its data directory. */
async function runsOn(folder: string, pid: number, processes: string): Promise<boolean> {
  if (existsSync(join(processes, 'self', 'cwd'))) {
    const cluster = await realpath(folder).catch(() => folder);
    // Unreadable if the process has ended or belongs to another user.
    return (await readlink(join(processes, String(pid), 'cwd')).catch(() => '')) === cluster;
  }
  // Fails if the process is gone.
  const { stdout } = await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres');
}

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
    const server = await runningServer(folder);
    if (!tryLock(log.fd)) await endOrphan(log, server);
    else if (server) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${server.pid}) runs on ${await realpath(folder)}, which this version did not start: stop it first`,
      );
    }
    await clearMistakenLock(folder);
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
