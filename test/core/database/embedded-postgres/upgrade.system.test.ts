import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { upgradeCluster } from '../../../../core/database/embedded-postgres/upgrade.js';
import { olderVersion, programs, startOlderPostgres } from '../../../support/older-postgres.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const versionIn = (name: string) => readFile(join(folder, name, 'PG_VERSION'), 'utf8');

async function versionAt(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (
      (await client.query<{ server_version: string }>('show server_version')).rows[0]?.server_version ?? ''
    );
  } finally {
    await client.end();
  }
}

it('nothing is upgraded where there is no cluster, or one of this version', async () => {
  const copy = () => Promise.reject(new Error('called'));
  await expect(upgradeCluster(folder, '/nowhere', copy)).rejects.toThrow(
    `there is no PostgreSQL cluster in ${folder}`,
  );
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '18\n');
  await expect(upgradeCluster(folder, '/nowhere', copy)).rejects.toThrow(
    `the data in ${folder} are already of PostgreSQL 18`,
  );
  expect((await readdir(folder)).sort()).toEqual(['lock', 'postgres']);
});

describe.skipIf(olderVersion === undefined)('an upgrade', { timeout: 120_000 }, () => {
  beforeEach(async () => {
    await (await startOlderPostgres(folder)).stop();
  });

  it('has both servers for the copy, then the new cluster in the place of the old one', async () => {
    const versions: string[] = [];
    const folders: string[] = [];
    const done = await upgradeCluster(folder, programs, async (from, to, beside) => {
      versions.push(await versionAt(from), await versionAt(to));
      folders.push(beside);
    });
    expect(versions.map((version) => version.split('.')[0])).toEqual([olderVersion, '18']);
    expect(done).toEqual({ from: olderVersion, kept: join(folder, `postgres-${olderVersion}`) });
    expect(await versionIn('postgres')).toBe('18\n');
    expect(await versionIn(`postgres-${olderVersion}`)).toBe(`${olderVersion}\n`);
    expect(folders.map((path) => [dirname(path), existsSync(path)])).toEqual([[folder, false]]);
    // Hidden: it is nothing that an operator has to care about.
    expect(folders.map((path) => basename(path).slice(0, 9))).toEqual(['.upgrade-']);
    expect(await readFile(join(folder, 'password'), 'utf8')).toBe('of-the-old-one');
  });

  it('changes nothing where the copy fails', async () => {
    const urls: string[] = [];
    const failing = upgradeCluster(folder, programs, async (from, to) => {
      urls.push(from, to);
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    for (const url of urls) await expect(versionAt(url)).rejects.toThrow('ECONNREFUSED');
    expect(await versionIn('postgres')).toBe(`${olderVersion}\n`);
    const names = await readdir(folder);
    expect(names.filter((name) => /^\.upgrade|postgres-\d/.test(name))).toEqual([]);
    const again = await upgradeCluster(folder, programs, () => Promise.resolve());
    expect(again.from).toBe(olderVersion);
  });
});
