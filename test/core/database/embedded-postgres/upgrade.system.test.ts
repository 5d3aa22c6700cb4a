import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { upgradeCluster } from '../../../../core/database/embedded-postgres/upgrade.js';
import { olderVersion, programs, startOlderPostgres } from '../../../support/older-postgres.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const versionIn = (name: string) => readFile(join(folder, name, 'PG_VERSION'), 'utf8');

async function versionAt(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version.split('.')[0];
  } finally {
    await client.end();
  }
}

it('nothing is upgraded where there is no cluster, or one of this version', async () => {
  const upgrade = () => upgradeCluster(folder, '/nowhere', () => Promise.reject(new Error('called')));
  await expect(upgrade()).rejects.toThrow(`there is no PostgreSQL cluster in ${folder}`);
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '18\n');
  await expect(upgrade()).rejects.toThrow(`the data in ${folder} are already of PostgreSQL 18`);
  expect((await readdir(folder)).sort()).toEqual(['lock', 'postgres']);
});

it.skipIf(olderVersion === undefined)('an upgrade puts a copy in the place of the old cluster', async () => {
  await (await startOlderPostgres(folder)).stop();
  const urls: string[] = [];
  const failing = upgradeCluster(folder, programs, async (from, to) => {
    urls.push(from, to);
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  for (const url of urls) await expect(versionAt(url)).rejects.toThrow('ECONNREFUSED');
  expect(await versionIn('postgres')).toBe(`${olderVersion}\n`);
  expect((await readdir(folder)).filter((name) => /^\.upgrade|postgres-\d/.test(name))).toEqual([]);

  const seen: unknown[] = [];
  let place = '';
  const done = await upgradeCluster(folder, programs, async (from, to, beside) => {
    seen.push(await versionAt(from), await versionAt(to));
    place = beside;
  });
  expect(seen).toEqual([olderVersion, '18']);
  expect(done).toEqual({ from: olderVersion, kept: join(folder, `postgres-${olderVersion}`) });
  expect(await versionIn('postgres')).toBe('18\n');
  expect(await versionIn(`postgres-${olderVersion}`)).toBe(`${olderVersion}\n`);
  // Hidden: it is nothing that an operator has to care about.
  expect([dirname(place), basename(place).slice(0, 9)]).toEqual([folder, '.upgrade-']);
  expect(existsSync(place)).toBe(false);
  expect(await readFile(join(folder, 'password'), 'utf8')).toBe('of-the-old-one');
});
