import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedPostgresError } from '../../../../core/database/embedded-postgres/folder-lock.js';
import {
  attachEmbeddedPostgres,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  startServer,
} from '../../../../core/database/embedded-postgres/server.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

const FAST = { fsync: 'off' };
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/** A folder with a cluster that has a row in it, and has ended: making one takes long. */
let made: string;
/** What a query, and the system, said of its server. */
const seen = { settings: [] as unknown[], group: 0, pid: 0, mode: 0, names: [] as string[] };
let folder: string;
let passwordFile: string;
let server: EmbeddedPostgres | undefined;

beforeAll(async () => {
  made = await temporaryFolder();
  await chmod(made, 0o750);
  // They only look like clusters that were upgraded.
  for (const name of ['my-postgres-15', 'postgres-15.tar']) await mkdir(join(made, name));
  const { url, pid, stop } = await startEmbeddedPostgres(made, FAST);
  await query(url, 'create table kept as select 7 as number');
  const names = ['listen_addresses', 'unix_socket_directories', 'timezone', 'lc_messages', 'jit', 'fsync'];
  for (const name of names) seen.settings.push(...(await query(url, `show ${name}`)).flatMap(Object.values));
  const { stdout } = await run('ps', ['-o', 'pgid=', '-p', String(pid)]);
  Object.assign(seen, { group: Number(stdout), pid, mode: (await stat(made)).mode & 0o777 });
  seen.names = (await readdir(made)).sort();
  await stop();
});
afterAll(() => rm(made, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await temporaryFolder();
  for (const name of ['postgres', 'password']) await run('cp', ['-a', join(made, name), folder]);
  passwordFile = join(folder, 'password');
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(port?: number): Promise<string> {
  server = await startEmbeddedPostgres(folder, FAST, port);
  return server.url;
}

async function query(url: string, text: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
const rowsAt = (url: string) => query(url, 'select number from kept');
const KEPT = [{ number: 7 }];

it('a first cluster has our settings, and its server is no process of the terminal, whose Ctrl-C would end it', () => {
  expect(seen.settings).toEqual(['127.0.0.1', '', 'UTC', 'C', 'off', 'off']);
  expect(seen.group).toBe(seen.pid);
  const files = ['lock', 'my-postgres-15', 'password', 'postgres', 'postgres-15.tar', 'postgres.log'];
  expect(seen.names).toEqual(files);
  // A user of its own may enter the data folder, which else keeps its mode.
  expect(seen.mode).toBe(isRoot ? 0o751 : 0o750);
});

describe('a cluster whose password file is missing', () => {
  it('keeps its data and gets a new password', async () => {
    const before = await readFile(passwordFile, 'utf8');
    await rm(passwordFile);
    const url = await start();
    expect(await rowsAt(url)).toEqual(KEPT);
    const { password } = new URL(url);
    expect(password).not.toBe(before);
    expect(await readFile(passwordFile, 'utf8')).toBe(password);
    expect((await stat(passwordFile)).mode & 0o777).toBe(0o600);
    await expect(rowsAt(url.replace(password, before))).rejects.toThrow('password authentication failed');

    // While a server runs on it, it is left alone.
    await rm(passwordFile);
    const error = await attachEmbeddedPostgres(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    const message = expect.stringMatching(/password can't be read while .*restart the service/);
    expect(error).toHaveProperty('message', message);
    expect(await readdir(folder)).not.toContain('password');
  });
});

it('a cluster that PostgreSQL refuses is refused with its reason and detail', async () => {
  await chmod(join(folder, 'postgres'), 0o777);
  const refused = /invalid permissions.*DETAIL: +Permissions should be/;
  await expect(startEmbeddedPostgres(folder)).rejects.toThrow(refused);
});

it.runIf(isRoot)('a data folder that its user can not reach has a link to the data', async () => {
  await chmod(folder, 0o700);
  const home = join(folder, 'data');
  await mkdir(home);
  const outside = await temporaryFolder();
  await chmod(outside, 0o711);
  const shared = join(outside, 'var', 'almanac');
  const startThere = async () => {
    server = await startServer(home, { settings: FAST, shared });
    return server.url;
  };
  try {
    await query(await startThere(), 'create table kept as select 7 as number');
    await server?.stop();
    const place = await readlink(join(home, 'postgres'));
    expect(place).toMatch(new RegExp(`^${shared}/data-\\w+$`));
    expect((await stat(shared)).mode & 0o777).toBe(0o755);
    expect(await rowsAt(await startThere())).toEqual(KEPT);
    expect((await readdir(home)).sort()).toEqual(['password', 'postgres', 'postgres.log']);
  } finally {
    await server?.stop();
    server = undefined;
    await rm(outside, { recursive: true, force: true });
  }
});

it('the port is that of an earlier start if given, or none', async () => {
  const url = await start();
  const port = server?.port;
  await server?.stop();
  const other = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(other, 'listening');
  try {
    await expect(start(port)).rejects.toThrow(/PostgreSQL did not start: .*could not create any TCP/);
  } finally {
    other.close();
    await once(other, 'close');
  }
  expect(await start(port)).toBe(url);
});

describe('a server of an earlier start', () => {
  it('is left alone where it was not started by this program', async () => {
    const url = await start();
    // As with a server that has not inherited the lock.
    for (const name of ['postgres.log', 'lock']) await rm(join(folder, name));
    await expect(startEmbeddedPostgres(folder)).rejects.toThrow(
      `PostgreSQL (process ${server?.pid}) runs on ${join(folder, 'postgres')}, which this version did not start`,
    );
    expect(await rowsAt(url)).toEqual(KEPT);
  });

  it('keeps its folder while any of its processes lives, whichever program has started it', async () => {
    const earlier = await startEmbeddedPostgres(folder, FAST);
    await rm(join(folder, 'lock')); // As if its program had been killed.
    await start();
    await earlier.exited;
    expect(server?.pid).not.toBe(earlier.pid);
  });
});
