import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdir, open, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockServerLog } from '../../../../core/database/embedded-postgres/server-log.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let folder: string;
let cluster: string;
let logFile: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await realpath(await temporaryFolder());
  cluster = join(folder, 'postgres');
  logFile = join(folder, 'postgres.log');
  await mkdir(cluster);
});
afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  child = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** A process in the place of PostgreSQL's, with its lock file, that prints to this file. */
async function startProcess(output: FileHandle | 'ignore'): Promise<number> {
  const target = output === 'ignore' ? output : output.fd;
  child = spawn('sleep', ['60'], { cwd: cluster, stdio: ['ignore', target, target] });
  await once(child, 'spawn');
  await writeFile(join(cluster, 'postmaster.pid'), `${child.pid}\n${cluster}\n1\n5432\n`);
  return child.pid ?? 0;
}

it('the log is emptied, and locked for whoever has it open', async () => {
  await writeFile(logFile, 'of an earlier start');
  const log = await lockServerLog(logFile, cluster);
  const other = await open(logFile, 'a');
  expect(await readFile(logFile, 'utf8')).toBe('');
  expect(tryLock(other.fd)).toBe(false);
  await log.close();
  expect(tryLock(other.fd)).toBe(true);
  await other.close();
});

it.runIf(process.platform === 'linux')('a server that outlived its start is ended', async () => {
  const earlier = await lockServerLog(logFile, cluster);
  await startProcess(earlier);
  await earlier.close();
  const log = await lockServerLog(logFile, cluster);
  expect(child?.signalCode ?? (await once(child ?? process, 'exit'))[1]).toBe('SIGINT');
  await log.close();
});

it('one that can not be seen from here is waited for', async () => {
  const elsewhere = await open(logFile, 'a');
  expect(tryLock(elsewhere.fd)).toBe(true);
  let hasEnded = false;
  const waiting = lockServerLog(logFile, join(folder, 'missing'));
  void delay(300).then(async () => {
    hasEnded = true;
    await elsewhere.close();
  });
  const log = await waiting;
  expect(hasEnded).toBe(true);
  await log.close();
});

it.runIf(process.platform === 'linux')('a server that was started in another way is left alone', async () => {
  const pid = await startProcess('ignore');
  await expect(lockServerLog(logFile, cluster)).rejects.toThrow(
    `PostgreSQL (process ${pid}) runs on ${cluster}, which this version did not start: stop it first`,
  );
  expect(child?.exitCode).toBeNull();
  expect(child?.signalCode).toBeNull();
});
