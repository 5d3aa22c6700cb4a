import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What PostgreSQL's lock file says of the server that wrote it. */
export interface RunningServer {
  pid: number;
  port: number;
}

/**
 * The server that runs on a data directory. Undefined where the lock file is missing or was left by a crash:
 * the process id in it may by then belong to another program.
 */
export async function runningServer(cluster: string): Promise<RunningServer | undefined> {
  const lines = (await readTextIfPresent(join(cluster, 'postmaster.pid'))).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const port = Number.parseInt(lines[3] ?? '', 10);
  return pid > 0 && (await isPostgres(pid)) ? { pid, port } : undefined;
}

/**
 * Removes the lock file of a server that is no more. PostgreSQL does so too, but not where another program has
 * its process id, as happens in containers.
 */
export async function clearStaleLock(cluster: string): Promise<void> {
  if (!(await runningServer(cluster))) await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function isPostgres(pid: number): Promise<boolean> {
  // Linux tells without a program that small images lack; "Z" has ended and only waits to be collected.
  if (existsSync('/proc/self/stat')) {
    const status = await readTextIfPresent(`/proc/${pid}/stat`);
    return status.includes('(postgres)') && !status.includes('(postgres) Z');
  }
  const { stdout } = await run('ps', ['-o', 'stat=,comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && !stdout.startsWith('Z');
}

async function readTextIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
