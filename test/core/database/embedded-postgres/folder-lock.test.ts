import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DataFolderInUseError, lockFolder } from '../../../../core/database/embedded-postgres/folder-lock.js';
import {
  attachEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../../core/database/embedded-postgres/server.js';
import { ownFolder } from '../../support.js';

const inFolder = ownFolder();

/** Another process that has the lock on a file: from here nothing of a container's processes is seen but that. */
async function locked(name: string): Promise<ChildProcess> {
  const program = `
    const { openSync } = require('node:fs');
    if (!require('fs-native-extensions').tryLock(openSync(process.argv[1], 'a'))) process.exit(1);
    console.log('locked');
    setInterval(() => undefined, 60_000);`;
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const other = spawn(process.execPath, ['-e', program, inFolder(name)], { stdio: [...stdio] });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other.stdout ?? other, 'data');
  return other;
}

it('a data folder is of one program at a time, and the others get an error that names it', async () => {
  const lock = await lockFolder(inFolder());
  const refused = await lockFolder(inFolder()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DataFolderInUseError);
  const message = expect.stringContaining(`is in use by process ${process.pid} on ${hostname()}: `);
  expect(refused).toMatchObject({ name: 'DataFolderInUseError', message });
  await lock.release();
  await (await lockFolder(inFolder())).release();
});

it('a data folder is made with the folders above it, where that can be', async () => {
  const lock = await lockFolder(inFolder('new', 'data'));
  expect(existsSync(inFolder('new', 'data', 'lock'))).toBe(true);
  await lock.release();
  await writeFile(inFolder('file'), '');
  await expect(lockFolder(inFolder('file', 'data'))).rejects.toMatchObject({ code: 'EEXIST' });
  const nowhere = process.platform === 'linux' ? '/proc/almanac' : '/almanac';
  await expect(lockFolder(nowhere)).rejects.toHaveProperty('syscall', 'mkdir');
});

it('a data folder is not touched while a program of another container has it, and free once that is killed', async () => {
  await writeFile(inFolder('lock'), 'process 1 on 3f2a');
  const other = await locked('lock');
  await expect(startEmbeddedPostgres(inFolder())).rejects.toThrow(
    /in use by process 1 on 3f2a: .*docker exec/,
  );
  await expect(attachEmbeddedPostgres(inFolder())).rejects.toThrow(DataFolderInUseError);
  expect(existsSync(inFolder('postgres'))).toBe(false);
  expect(await readFile(inFolder('lock'), 'utf8')).toBe('process 1 on 3f2a');
  other.kill('SIGKILL');
  await once(other, 'exit');
  await (await lockFolder(inFolder())).release();
});

it('a start waits for the processes of an earlier server, even if it does not see them', async () => {
  // What is no cluster ends the start once it has waited.
  await mkdir(inFolder('postgres'));
  await writeFile(inFolder('postgres', 'notes.txt'), 'of somebody');
  const other = await locked('postgres.log');
  const ended = vi.fn();
  const starting = startEmbeddedPostgres(inFolder()).catch(ended);
  await vi.waitFor(() => expect(existsSync(inFolder('lock'))).toBe(true));
  await expect(lockFolder(inFolder())).rejects.toThrow(DataFolderInUseError);
  expect(ended).not.toHaveBeenCalled();
  other.kill('SIGKILL');
  await starting;
  const message = expect.stringContaining('postgres exists, but no PostgreSQL cluster');
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ message }));
  expect(await readFile(inFolder('postgres', 'notes.txt'), 'utf8')).toBe('of somebody');
});

it('a cluster that is missing after an upgrade that was cut short is not made anew', async () => {
  await mkdir(inFolder('postgres-15'));
  const cutShort = 'an upgrade from postgres-15 was cut short';
  await expect(startEmbeddedPostgres(inFolder())).rejects.toThrow(cutShort);
});

it('a link to a disk that is away stays in the place of the cluster', async () => {
  await symlink('/nowhere/postgres', inFolder('postgres'));
  const refused = /postgres exists, but no PostgreSQL cluster/;
  await expect(startEmbeddedPostgres(inFolder())).rejects.toThrow(refused);
  expect(await readlink(inFolder('postgres'))).toBe('/nowhere/postgres');
});
