import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdir, open, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { lockServerLog } from '../../../../core/database/embedded-postgres/running-server.js';
import { newFolder } from '../../support.js';

let folder: string;
let cluster: string;
let logFile: string;
beforeEach(async () => {
  folder = await realpath(await newFolder());
  [cluster, logFile] = [join(folder, 'postgres'), join(folder, 'postgres.log')];
  await mkdir(cluster);
});

const linux = process.platform === 'linux';

/** A process in the place of PostgreSQL's, with its lock file, that prints to this file. */
async function startProcess(output: FileHandle | 'ignore'): Promise<ChildProcess> {
  const target = output === 'ignore' ? output : output.fd;
  const child = spawn('sleep', ['60'], { cwd: cluster, stdio: ['ignore', target, target] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  await writeFile(join(cluster, 'postmaster.pid'), `${child.pid}\n${cluster}\n1\n5432\n`);
  return child;
}

it('the log is emptied, and locked for all others that have it open', async () => {
  await writeFile(logFile, 'of an earlier start');
  const log = await lockServerLog(logFile, cluster);
  const other = await open(logFile, 'a');
  expect(await readFile(logFile, 'utf8')).toBe('');
  expect(tryLock(other.fd)).toBe(false);
  await log.close();
  expect(tryLock(other.fd)).toBe(true);
  await other.close();
});

it.runIf(linux)('a server that outlived its start is ended, and no other one', async () => {
  const other = await startProcess('ignore');
  await expect(lockServerLog(logFile, cluster)).rejects.toThrow(
    `PostgreSQL (process ${other.pid}) runs on ${cluster}, which this version did not start: stop it first`,
  );
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);

  const earlier = await lockServerLog(logFile, join(folder, 'missing'));
  const server = await startProcess(earlier);
  await earlier.close();
  const log = await lockServerLog(logFile, cluster);
  expect(server.signalCode ?? (await once(server, 'exit'))[1]).toBe('SIGINT');
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
