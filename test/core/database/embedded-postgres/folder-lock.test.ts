import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { attachEmbeddedPostgres } from '../../../../core/database/embedded-postgres/attach.js';
import { DataFolderInUseError, lockFolder } from '../../../../core/database/embedded-postgres/folder-lock.js';
import { startEmbeddedPostgres } from '../../../../core/database/embedded-postgres/server.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Another process that has the lock on a file: from here nothing of a container's processes is seen but that. */
async function locked(name: string): Promise<ChildProcess> {
  const program = `
    const { openSync } = require('node:fs');
    if (!require('fs-native-extensions').tryLock(openSync(process.argv[1], 'a'))) process.exit(1);
    console.log('locked');
    setInterval(() => undefined, 60_000);`;
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const other = spawn(process.execPath, ['-e', program, join(folder, name)], { stdio: [...stdio] });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other.stdout ?? other, 'data');
  return other;
}

it('a data folder is of one program at a time, and the others get an error that names it', async () => {
  const lock = await lockFolder(folder);
  const refused = await lockFolder(folder).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DataFolderInUseError);
  const message = expect.stringContaining(`is in use by process ${process.pid} on ${hostname()}: `);
  expect(refused).toMatchObject({ name: 'DataFolderInUseError', message });
  await lock.release();
  await (await lockFolder(folder)).release();
});

it('a data folder is made with the folders above it, where that can be', async () => {
  const lock = await lockFolder(join(folder, 'new', 'data'));
  expect(existsSync(join(folder, 'new', 'data', 'lock'))).toBe(true);
  await lock.release();
  await writeFile(join(folder, 'file'), '');
  await expect(lockFolder(join(folder, 'file', 'data'))).rejects.toMatchObject({ code: 'EEXIST' });
  const nowhere = process.platform === 'linux' ? '/proc/almanac' : '/almanac';
  await expect(lockFolder(nowhere)).rejects.toHaveProperty('syscall', 'mkdir');
});

it('a data folder is not touched while a program of another container has it, and free once that is killed', async () => {
  await writeFile(join(folder, 'lock'), 'process 1 on 3f2a');
  const other = await locked('lock');
  await expect(startEmbeddedPostgres(folder)).rejects.toThrow(/in use by process 1 on 3f2a: .*docker exec/);
  await expect(attachEmbeddedPostgres(folder)).rejects.toThrow(DataFolderInUseError);
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
  expect(await readFile(join(folder, 'lock'), 'utf8')).toBe('process 1 on 3f2a');
  other.kill('SIGKILL');
  await once(other, 'exit');
  await (await lockFolder(folder)).release();
});

it('a start waits for the processes of an earlier server, even if it does not see them', async () => {
  // What is no cluster ends the start once it has waited.
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres', 'notes.txt'), 'of somebody');
  const other = await locked('postgres.log');
  const ended = vi.fn();
  const starting = startEmbeddedPostgres(folder).catch(ended);
  await vi.waitFor(() => expect(existsSync(join(folder, 'lock'))).toBe(true));
  await expect(lockFolder(folder)).rejects.toThrow(DataFolderInUseError);
  expect(ended).not.toHaveBeenCalled();
  other.kill('SIGKILL');
  await starting;
  const message = expect.stringContaining('postgres exists, but no PostgreSQL cluster');
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ message }));
  expect(await readFile(join(folder, 'postgres', 'notes.txt'), 'utf8')).toBe('of somebody');
});

it('a cluster that is missing after an upgrade that was cut short is not made anew', async () => {
  await mkdir(join(folder, 'postgres-15'));
  const cutShort = 'an upgrade from postgres-15 was cut short';
  await expect(startEmbeddedPostgres(folder)).rejects.toThrow(cutShort);
});

it('a link to a disk that is away stays in the place of the cluster', async () => {
  await symlink('/nowhere/postgres', join(folder, 'postgres'));
  const refused = /postgres exists, but no PostgreSQL cluster/;
  await expect(startEmbeddedPostgres(folder)).rejects.toThrow(refused);
  expect(await readlink(join(folder, 'postgres'))).toBe('/nowhere/postgres');
});
