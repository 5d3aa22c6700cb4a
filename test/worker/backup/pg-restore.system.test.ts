import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import type { EmbeddedPostgres } from '../../../core/database/embedded-postgres/server.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { readMigrations } from '../../../core/database/migrations.js';
import { digestBlends } from '../../../core/database/rates.js';
import { documented } from '../../../tools/rehearse/documented.js';
import { ownFolder } from '../../core/support.js';
import { olderVersion, programs, startOlderPostgres } from '../../support/older-postgres.js';
import { someRates, storeRows } from '../../support/rates.js';

const inFolder = ownFolder();
let server: EmbeddedPostgres;
beforeEach(async () => {
  server = await startOlderPostgres(inFolder());
});
afterEach(() => server.stop());

/** The commands of docs/deployment.md, here without Docker. */
async function shell(commands: string): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const here = commands
    .replaceAll(/^docker compose (?:stop|start) .*$/gm, '')
    .replaceAll(/docker compose exec -T \w+ /g, '');
  const env = { PATH: `${join(programs, 'bin')}:${process.env.PATH}`, PGHOST: hostname, PGPORT: port };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], { cwd: inFolder(), env });
}

async function withDatabase<T>(work: (database: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const database = openDatabase(server.url);
  return work(database).finally(() => database.close());
}

describe.skipIf(olderVersion === undefined)("a dump of PostgreSQL's own tools", { timeout: 120_000 }, () => {
  it('from before an upgrade is restored as documented, and migrated again', async () => {
    const [dump, restore] = documented("PostgreSQL's own tools", 'sh');
    const names = (await readMigrations()).map(({ name }) => name);
    await withDatabase((database) => applyMigrations(database, { only: names.slice(0, 10) }));
    await shell(`psql -q -U almanac -d almanac -c "insert into refusal_phrases (phrase) values ('kept')"`);
    await shell(dump);
    const upgraded = await withDatabase(async (database) => {
      await applyMigrations(database);
      await storeRows(database, someRates('2026-03-01'));
      return digestBlends(database);
    });
    expect(upgraded.periods[0]?.rows).toBeGreaterThan(0);

    await shell(restore ?? '');
    await withDatabase(async (database) => {
      expect(await applyMigrations(database)).toEqual(names.slice(10));
      expect((await digestBlends(database)).periods[0]?.rows).toBe(0);
    });
    await shell(`psql -U almanac -d almanac -Atc "select phrase from refusal_phrases" | grep -x kept`);

    // Why not --clean: what is newer than the dump stays, and is made a second time.
    const clean = '--clean --if-exists --no-owner --exit-on-error';
    await shell(`pg_restore -U almanac ${clean} -d almanac < almanac.dump`);
    await expect(withDatabase((database) => applyMigrations(database))).rejects.toThrow('already exists');
  });
});
