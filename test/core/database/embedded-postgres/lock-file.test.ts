import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearMistakenLock, runningServer } from '../../../../core/database/embedded-postgres/lock-file.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let cluster: string;
beforeEach(async () => {
  cluster = await realpath(await temporaryFolder());
});
afterEach(() => rm(cluster, { recursive: true, force: true }));

const write = (pid: number | string) =>
  writeFile(join(cluster, 'postmaster.pid'), `${pid}\n${cluster}\n1\n5432\n`);
const isThere = () => existsSync(join(cluster, 'postmaster.pid'));

it('a lock file of a process that is another program by now is removed', async () => {
  await write(process.pid);
  expect(await runningServer(cluster)).toBeUndefined();
  await clearMistakenLock(cluster);
  expect(isThere()).toBe(false);
  await clearMistakenLock(cluster);
});

it('a lock file of a server that runs, or of one that has ended, is left alone', async () => {
  // Linux tells a server by its working directory.
  const server = spawn('sleep', ['60'], { cwd: cluster });
  await once(server, 'spawn');
  const pid = server.pid ?? 0;
  await write(pid);
  if (process.platform === 'linux') expect(await runningServer(cluster)).toEqual({ pid, port: 5432 });
  if (process.platform === 'linux') await clearMistakenLock(cluster);
  expect(isThere()).toBe(true);
  server.kill('SIGKILL');
  await once(server, 'exit');
  expect(await runningServer(cluster)).toBeUndefined();
  await clearMistakenLock(cluster);
  expect(isThere()).toBe(true);
});

it('a lock file that can not be read is an error, not a server that has ended', async () => {
  await mkdir(join(cluster, 'postmaster.pid'));
  await expect(runningServer(cluster)).rejects.toThrow('EISDIR');
  await expect(clearMistakenLock(cluster)).rejects.toThrow('EISDIR');
});

it('what is no lock file names no server', async () => {
  await write('not a number');
  expect(await runningServer(cluster)).toBeUndefined();
  await clearMistakenLock(cluster);
  expect(isThere()).toBe(true);
});

it('without a folder of processes a server is known by its name', async () => {
  const program = join(cluster, 'postgres');
  const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v sleep']);
  await copyFile(stdout.trim(), program);
  const server = spawn(program, ['60'], { cwd: '/' });
  await once(server, 'spawn');
  const pid = server.pid ?? 0;
  try {
    await write(pid);
    expect(await runningServer(cluster, '/nowhere')).toEqual({ pid, port: 5432 });
    if (process.platform === 'linux') expect(await runningServer(cluster)).toBeUndefined();
    await write(process.pid);
    expect(await runningServer(cluster, '/nowhere')).toBeUndefined();
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  await write(pid);
  expect(await runningServer(cluster, '/nowhere')).toBeUndefined();
});
