import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { olderVersion, programs, startOlderPostgres } from '../../support/older-postgres.js';
import { temporaryFolder } from '../../support/postgres-server.js';
import { someRates, storeRows } from '../../support/rates.js';
import { cli } from './support.js';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const command = (...words: string[]) => cli(words, { variables: { DATA_DIR: folder } });

async function makeOldCluster(): Promise<void> {
  const server = await startOlderPostgres(folder);
  const database = openDatabase(server.url);
  await applyMigrations(database);
  await storeRows(database, someRates('2026-03-01'));
  await database.close();
  await server.stop();
}

describe.skipIf(olderVersion === undefined)('a cluster of an older PostgreSQL', { timeout: 120_000 }, () => {
  it('is refused with the command that moves it to the new one with all it holds, and kept', async () => {
    await makeOldCluster();
    const version = olderVersion;
    const refused = await command('digest');
    expect(refused).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(
        new RegExp(`^almanac: ${folder}/postgres is of PostgreSQL ${version}, .* upgrade-database .*\\n$`),
      ),
    });
    const wrong = await command('upgrade-database', '--programs', '/nowhere');
    expect(wrong).toMatchObject({ code: 78, stderr: expect.stringContaining('/nowhere/bin/postgres') });

    const upgraded = await command('upgrade-database', '--programs', programs);
    expect(upgraded).toMatchObject({
      code: 0,
      stderr: `upgraded from PostgreSQL ${version}; the old data are in ${folder}/postgres-${version}, which you can delete\n`,
    });
    expect(await readFile(join(folder, 'postgres', 'PG_VERSION'), 'utf8')).toBe('18\n');
    expect(await readFile(join(folder, `postgres-${version}`, 'PG_VERSION'), 'utf8')).toBe(`${version}\n`);
    const names = await readdir(folder);
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
    const exported = await command('rates', 'export', '--plain');
    expect(exported.stdout.split('\n').length - 2).toBe(someRates('2026-03-01').length);

    expect(await command('upgrade-database', '--programs', programs)).toMatchObject({
      code: 78,
      stderr: `almanac: the data in ${folder} are already of PostgreSQL 18\n`,
    });
  });

  it('is not replaced by an empty one where an upgrade was cut short', async () => {
    await mkdir(join(folder, 'postgres-17'));
    expect(await command('digest')).toMatchObject({
      code: 78,
      stderr:
        'almanac: an upgrade from postgres-17 was cut short: rename it to postgres, and upgrade again\n',
    });
  });
});
