import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attachEmbeddedPostgres } from '../../../../core/database/embedded-postgres/attach.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  startServer,
} from '../../../../core/database/embedded-postgres/server.js';
import { EmbeddedPostgresError } from '../../../../core/database/embedded-postgres/start-error.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let folder: string;
let passwordFile: string;
let server: EmbeddedPostgres | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  passwordFile = join(folder, 'password');
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(earlierUrl?: string): Promise<string> {
  server = await startEmbeddedPostgres(folder, { fsync: 'off' }, earlierUrl);
  return server.url;
}

async function query<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T & pg.QueryResultRow>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Has a cluster with a row in it, which has ended, and loses the password. */
async function losePassword(): Promise<string> {
  const url = await start();
  await query(url, 'create table kept as select 7 as number');
  await server?.stop();
  await rm(passwordFile);
  return url;
}
const rowsAt = (url: string) => query(url, 'select number from kept');

describe('a cluster whose password file is missing', () => {
  it('keeps its data and gets a new password', async () => {
    const before = new URL(await losePassword());
    const url = await start();
    expect(await rowsAt(url)).toEqual([{ number: 7 }]);
    expect(new URL(url).password).not.toBe(before.password);
    expect(await readFile(passwordFile, 'utf8')).toBe(new URL(url).password);
    expect((await stat(passwordFile)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['lock', 'password', 'port', 'postgres', 'postgres.log']);
    before.port = new URL(url).port;
    await expect(rowsAt(before.toString())).rejects.toThrow('password authentication failed');
  });

  it('gets that of the earlier start where it is known, so that whoever has its URL goes on', async () => {
    const url = await losePassword();
    expect(await start(url)).toBe(url);
    expect(await rowsAt(url)).toEqual([{ number: 7 }]);
  });

  it('gets the one of an attempt that was cut short', async () => {
    await losePassword();
    await writeFile(`${passwordFile}.new`, 'begun', { mode: 0o600 });
    expect(new URL(await start()).password).toBe('begun');
  });

  it('is left alone while a server runs on it', async () => {
    const url = await start();
    await query(url, 'create table kept as select 7 as number');
    await rm(passwordFile);
    const error = await attachEmbeddedPostgres(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(/password can't be read while .*restart the service/),
    );
    expect(await rowsAt(url)).toEqual([{ number: 7 }]);
    expect(await readdir(folder)).not.toContain('password');
  });
});

describe('what is in the place of a cluster', () => {
  const refusal = () =>
    expect(startEmbeddedPostgres(folder)).rejects.toThrow(/postgres exists, but no PostgreSQL cluster/);

  it('may be missing after an upgrade that was cut short, and is not made anew then', async () => {
    await mkdir(join(folder, 'postgres-15'));
    const cutShort = 'an upgrade from postgres-15 was cut short';
    await expect(startEmbeddedPostgres(folder)).rejects.toThrow(cutShort);
    await mkdir(join(folder, 'postgres'));
    await writeFile(join(folder, 'postgres', 'notes.txt'), 'of somebody');
    await refusal();
  });

  it('stays there, if it is a folder of something else', async () => {
    await mkdir(join(folder, 'postgres'));
    await writeFile(join(folder, 'postgres', 'notes.txt'), 'of somebody');
    await refusal();
    expect(await readFile(join(folder, 'postgres', 'notes.txt'), 'utf8')).toBe('of somebody');
  });

  it('stays there, if it is a link to a disk that is away', async () => {
    await symlink('/nowhere/postgres', join(folder, 'postgres'));
    await refusal();
    expect(await readlink(join(folder, 'postgres'))).toBe('/nowhere/postgres');
  });
});

it('a cluster that PostgreSQL refuses is refused with its reason and detail', async () => {
  await start();
  await server?.stop();
  await chmod(join(folder, 'postgres'), 0o777);
  await expect(startEmbeddedPostgres(folder)).rejects.toThrow(
    /invalid permissions.*DETAIL: +Permissions should be/,
  );
});

describe.runIf(process.getuid?.() === 0)('where PostgreSQL has a user of its own', () => {
  it('the data folder can be entered by it, and else keeps its mode', async () => {
    await chmod(folder, 0o750);
    await start();
    expect((await stat(folder)).mode & 0o777).toBe(0o751);
    expect(await readlink(join(folder, 'postgres')).catch(() => 'no link')).toBe('no link');
  });

  it('the data is elsewhere if it can not reach the data folder, which has a link there', async () => {
    await chmod(folder, 0o700);
    const home = join(folder, 'data');
    await mkdir(home);
    const outside = await temporaryFolder();
    await chmod(outside, 0o711);
    const shared = join(outside, 'var', 'almanac');
    const startThere = async () => {
      server = await startServer(home, { settings: { fsync: 'off' }, shared });
      return server.url;
    };
    try {
      await query(await startThere(), 'create table kept as select 7 as number');
      await server?.stop();
      const place = await readlink(join(home, 'postgres'));
      expect(place).toMatch(new RegExp(`^${shared}/data-\\w+$`));
      expect((await stat(shared)).mode & 0o777).toBe(0o755);
      expect(await rowsAt(await startThere())).toEqual([{ number: 7 }]);
      expect((await readdir(home)).sort()).toEqual(['password', 'port', 'postgres', 'postgres.log']);
    } finally {
      await server?.stop();
      server = undefined;
      await rm(outside, { recursive: true, force: true });
    }
  });
});

it('a first cluster is made beside what only looks like one that was upgraded', async () => {
  for (const name of ['my-postgres-15', 'postgres-15.tar']) await mkdir(join(folder, name));
  expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('a server has our settings, and those that are given', async () => {
  await start();
  const shown = async (name: string) =>
    Object.values((await query(server?.url ?? '', `show ${name}`))[0] ?? {});
  const settings = ['listen_addresses', 'unix_socket_directories', 'timezone', 'lc_messages', 'jit', 'fsync'];
  const values = await Promise.all(settings.map(shown));
  expect(values.flat()).toEqual(['127.0.0.1', '', 'UTC', 'C', 'off', 'off']);
});

it('a server is no process of the terminal, so that a Ctrl-C does not end it before the programs that use it', async () => {
  await start();
  const ps = promisify(execFile)('ps', ['-o', 'pgid=', '-p', String(server?.pid)]);
  expect(Number((await ps).stdout)).toBe(server?.pid);
});

describe('the port', () => {
  it('is that of the last start where it is free, else another', async () => {
    const first = new URL(await start()).port;
    await server?.stop();
    const written = await stat(join(folder, 'port'));
    expect(new URL(await start()).port).toBe(first);
    expect((await stat(join(folder, 'port'))).mtimeMs, 'not written again').toBe(written.mtimeMs);
    await server?.stop();
    const other = createServer((socket) => socket.destroy()).listen(Number(first), '127.0.0.1');
    await once(other, 'listening');
    try {
      const next = new URL(await start()).port;
      expect(next).not.toBe(first);
      expect(await readFile(join(folder, 'port'), 'utf8')).toBe(next);
    } finally {
      other.close();
    }
  });

  it('of an earlier URL is taken, or none', async () => {
    const url = await start();
    await server?.stop();
    const { port } = new URL(url);
    const other = createServer((socket) => socket.destroy()).listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    try {
      await expect(start(url)).rejects.toThrow(/PostgreSQL did not start: .*could not create any TCP/);
    } finally {
      other.close();
      await once(other, 'close');
    }
    expect(await start(url)).toBe(url);
  });
});
