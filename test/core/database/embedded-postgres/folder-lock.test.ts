import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attachEmbeddedPostgres } from '../../../../core/database/embedded-postgres/attach.js';
import { DataFolderInUseError, lockFolder } from '../../../../core/database/embedded-postgres/folder-lock.js';
import { startEmbeddedPostgres } from '../../../../core/database/embedded-postgres/server.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let folder: string;
const others: ChildProcess[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const other of others.splice(0)) await kill(other);
  await rm(folder, { recursive: true, force: true });
});

/** Another process that has the lock on a file: from here nothing of a container's processes is seen but that. */
async function locked(name: string): Promise<ChildProcess> {
  const program = `
    const { openSync } = require('node:fs');
    if (!require('fs-native-extensions').tryLock(openSync(process.argv[1], 'a'))) process.exit(1);
    console.log('locked');
    setInterval(() => undefined, 60_000);`;
  const other = spawn(process.execPath, ['-e', program, join(folder, name)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  others.push(other);
  await once(other.stdout, 'data');
  return other;
}

async function kill(other: ChildProcess): Promise<void> {
  if (other.exitCode !== null || other.signalCode !== null) return;
  other.kill('SIGKILL');
  await once(other, 'exit');
}

describe('a data folder', () => {
  it('is of one program at a time, which the others are told', async () => {
    const lock = await lockFolder(folder);
    const refused = await lockFolder(folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DataFolderInUseError);
    expect(refused).toHaveProperty('name', 'DataFolderInUseError');
    expect(refused).toHaveProperty(
      'message',
      expect.stringContaining(`is in use by process ${process.pid} on ${hostname()}: `),
    );
    await lock.release();
    await (await lockFolder(folder)).release();
  });

  it('is made with the folders above it, where that can be', async () => {
    const lock = await lockFolder(join(folder, 'new', 'data'));
    expect(existsSync(join(folder, 'new', 'data', 'lock'))).toBe(true);
    await lock.release();
    await writeFile(join(folder, 'file'), '');
    await expect(lockFolder(join(folder, 'file', 'data'))).rejects.toMatchObject({ code: 'EEXIST' });
    const nowhere = process.platform === 'linux' ? '/proc/almanac' : '/almanac';
    await expect(lockFolder(nowhere)).rejects.toHaveProperty('syscall', 'mkdir');
  });

  it('is free again at once when its program is killed', async () => {
    const other = await locked('lock');
    await expect(lockFolder(folder)).rejects.toThrow(DataFolderInUseError);
    await kill(other);
    await (await lockFolder(folder)).release();
  });

  it('is not touched while a program of another container has it', async () => {
    await writeFile(join(folder, 'lock'), 'process 1 on 3f2a');
    await locked('lock');
    await expect(startEmbeddedPostgres(folder)).rejects.toThrow(/in use by process 1 on 3f2a: .*docker exec/);
    await expect(attachEmbeddedPostgres(folder)).rejects.toThrow(DataFolderInUseError);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
    expect(await readFile(join(folder, 'lock'), 'utf8')).toBe('process 1 on 3f2a');
  });
});

describe('a server', () => {
  it('waits for the processes of an earlier one, even if it does not see them', async () => {
    const other = await locked('postgres.log');
    let isThere = false;
    const starting = startEmbeddedPostgres(folder, { fsync: 'off' }).finally(() => {
      isThere = true;
    });
    await vi.waitFor(() => expect(existsSync(join(folder, 'lock'))).toBe(true));
    await expect(lockFolder(folder)).rejects.toThrow(DataFolderInUseError);
    expect([isThere, existsSync(join(folder, 'postgres'))]).toEqual([false, false]);
    await kill(other);
    await (await starting).stop();
  });

  it('is left alone where it was not started by this program', async () => {
    const server = await startEmbeddedPostgres(folder, { fsync: 'off' });
    try {
      // As with a server that has not inherited the lock.
      await rm(join(folder, 'postgres.log'));
      await rm(join(folder, 'lock'));
      await expect(startEmbeddedPostgres(folder)).rejects.toThrow(
        `PostgreSQL (process ${server.pid}) runs on ${join(folder, 'postgres')}, which this version did not start`,
      );
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.end();
    } finally {
      await server.stop();
    }
  });

  it('keeps its folder while any of its processes lives, whoever has started it', async () => {
    const server = await startEmbeddedPostgres(folder, { fsync: 'off' });
    await rm(join(folder, 'lock')); // As if its program had been killed.
    const after = await startEmbeddedPostgres(folder, { fsync: 'off' });
    await server.exited;
    expect(after.pid).not.toBe(server.pid);
    await after.stop();
  });
});
