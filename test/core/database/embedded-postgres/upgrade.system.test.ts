import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { upgradeCluster } from '../../../../core/database/embedded-postgres/upgrade.js';
import { olderVersion, programs, startOlderPostgres } from '../../../support/older-postgres.js';
import { ownFolder } from '../../support.js';

const inFolder = ownFolder();

const versionIn = (name: string) => readFile(inFolder(name, 'PG_VERSION'), 'utf8');

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
  const upgrade = () => upgradeCluster(inFolder(), '/nowhere', () => Promise.reject(new Error('called')));
  await expect(upgrade()).rejects.toThrow(`there is no PostgreSQL cluster in ${inFolder()}`);
  await mkdir(inFolder('postgres'));
  await writeFile(inFolder('postgres', 'PG_VERSION'), '18\n');
  await expect(upgrade()).rejects.toThrow(`the data in ${inFolder()} are already of PostgreSQL 18`);
  expect((await readdir(inFolder())).sort()).toEqual(['lock', 'postgres']);
});

it.skipIf(olderVersion === undefined)('an upgrade puts a copy in the place of the old cluster', async () => {
  await (await startOlderPostgres(inFolder())).stop();
  const urls: string[] = [];
  const failing = upgradeCluster(inFolder(), programs, async (from, to) => {
    urls.push(from, to);
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  for (const url of urls) await expect(versionAt(url)).rejects.toThrow('ECONNREFUSED');
  expect(await versionIn('postgres')).toBe(`${olderVersion}\n`);
  expect((await readdir(inFolder())).filter((name) => /^\.upgrade|postgres-\d/.test(name))).toEqual([]);

  const seen: unknown[] = [];
  let place = '';
  const done = await upgradeCluster(inFolder(), programs, async (from, to, beside) => {
    seen.push(await versionAt(from), await versionAt(to));
    place = beside;
  });
  expect(seen).toEqual([olderVersion, '18']);
  expect(done).toEqual({ from: olderVersion, kept: inFolder(`postgres-${olderVersion}`) });
  expect(await versionIn('postgres')).toBe('18\n');
  expect(await versionIn(`postgres-${olderVersion}`)).toBe(`${olderVersion}\n`);
  // Hidden: it is nothing that an operator has to care about.
  expect([dirname(place), basename(place).slice(0, 9)]).toEqual([inFolder(), '.upgrade-']);
  expect(existsSync(place)).toBe(false);
  expect(await readFile(inFolder('password'), 'utf8')).toBe('of-the-old-one');
});
