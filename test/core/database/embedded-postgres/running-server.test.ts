import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import {
  clearMistakenLock,
  runningServer,
} from '../../../../core/database/embedded-postgres/running-server.js';
import { newFolder } from '../../support.js';

let cluster: string;
let lockFile: string;
beforeEach(async () => {
  cluster = await realpath(await newFolder());
  lockFile = join(cluster, 'postmaster.pid');
});

const linux = process.platform === 'linux';
const write = (pid: unknown) => writeFile(lockFile, `${pid}\n${cluster}\n1\n5432\n`);

/** A program in the place of a server, with its lock file. */
async function startServer(program: string, cwd: string): Promise<ChildProcess> {
  const server = spawn(program, ['60'], { cwd });
  onTestFinished(() => void server.kill('SIGKILL'));
  await once(server, 'spawn');
  await write(server.pid);
  return server;
}
async function end(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL');
  await once(server, 'exit');
}

it('a lock file of a process that is another program by now is removed', async () => {
  await write(process.pid);
  expect(await runningServer(cluster)).toBeUndefined();
  for (let again = 0; again < 2; again++) await clearMistakenLock(cluster);
  expect(existsSync(lockFile)).toBe(false);
});

it('a lock file of a server that runs, or of one that has ended, is left alone', async () => {
  // Linux tells a server by its working directory.
  const server = await startServer('sleep', cluster);
  if (linux) {
    expect(await runningServer(cluster)).toEqual({ pid: server.pid, port: 5432 });
    await clearMistakenLock(cluster);
    expect(existsSync(lockFile)).toBe(true);
  }
  await end(server);
  expect(await runningServer(cluster)).toBeUndefined();
  await clearMistakenLock(cluster);
  expect(existsSync(lockFile)).toBe(true);
});

it('a lock file that can not be read is an error, and what is no lock file names no server', async () => {
  await mkdir(lockFile);
  for (const read of [runningServer, clearMistakenLock])
    await expect(read(cluster)).rejects.toThrow('EISDIR');
  await rm(lockFile, { recursive: true });
  await write('not a number');
  expect(await runningServer(cluster)).toBeUndefined();
  await clearMistakenLock(cluster);
  expect(existsSync(lockFile)).toBe(true);
});

it('without a folder of processes a server is known by its name', async () => {
  const program = join(cluster, 'postgres');
  await copyFile(existsSync('/bin/sleep') ? '/bin/sleep' : '/usr/bin/sleep', program);
  const server = await startServer(program, '/');
  expect(await runningServer(cluster, '/nowhere')).toEqual({ pid: server.pid, port: 5432 });
  if (linux) expect(await runningServer(cluster)).toBeUndefined();
  await write(process.pid);
  expect(await runningServer(cluster, '/nowhere')).toBeUndefined();
  await write(server.pid);
  await end(server);
  expect(await runningServer(cluster, '/nowhere')).toBeUndefined();
});
