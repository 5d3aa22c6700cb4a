import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { ownFolder } from '../../core/support.js';
import { programs, startOlderPostgres, olderVersion as version } from '../../support/older-postgres.js';
import { someRates, storeRows } from '../../support/rates.js';
import { cli, done, failed } from './support.js';

const inFolder = ownFolder();
const command = (...words: string[]) => cli(words, { variables: { DATA_DIR: inFolder() } });
const RATES = someRates('2026-03-01');

async function makeOldCluster(): Promise<void> {
  const server = await startOlderPostgres(inFolder());
  const database = openDatabase(server.url);
  await applyMigrations(database);
  await storeRows(database, RATES);
  await database.close();
  await server.stop();
}

it.skipIf(version === undefined)(
  'a cluster of an older PostgreSQL is refused with the command that upgrades it, and kept',
  async () => {
    await makeOldCluster();
    const older = `^almanac: ${inFolder('postgres')} is of PostgreSQL ${version}, .* migrate --programs .*\\n$`;
    expect(await command('digest')).toEqual(failed(78, new RegExp(older)));
    const wrong = await command('migrate', '--programs', '/nowhere');
    expect(wrong).toEqual(failed(78, '/nowhere/bin/postgres'));

    const kept = inFolder(`postgres-${version}`);
    const stderr = done(
      `upgraded from PostgreSQL ${version}, whose data are kept in ${kept} until you delete them,`,
    );
    expect(await command('migrate', '--programs', programs)).toMatchObject({ code: 0, stderr });
    expect(await readFile(inFolder('postgres', 'PG_VERSION'), 'utf8')).toBe('18\n');
    expect(await readFile(inFolder(`postgres-${version}`, 'PG_VERSION'), 'utf8')).toBe(`${version}\n`);
    const exported = await command('rates', 'export');
    expect(exported.stdout.split('\n')).toHaveLength(RATES.length + 2);
    const again = await command('migrate', '--programs', programs);
    expect(again).toEqual(failed(78, `almanac: the data in ${inFolder()} are already of PostgreSQL 18\n`));
  },
  120_000,
);
