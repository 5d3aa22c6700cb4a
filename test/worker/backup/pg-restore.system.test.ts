import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { digestBlends } from '../../../core/database/digest.js';
import type { EmbeddedPostgres } from '../../../core/database/embedded-postgres/server.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { readMigrations } from '../../../core/database/migrations.js';
import { documented } from '../../../tools/rehearse/compose/documented.js';
import { importRates } from '../../../worker/import/import.js';
import { olderVersion, programs, startOlderPostgres } from '../../support/older-postgres.js';
import { temporaryFolder } from '../../support/postgres-server.js';
import { someRates } from '../../support/rates.js';

let folder: string;
let server: EmbeddedPostgres;
beforeEach(async () => {
  folder = await temporaryFolder();
  server = await startOlderPostgres(folder);
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The commands of docs/deployment.md, here without Docker. */
async function shell(commands: string): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const here = commands
    .replaceAll(/^docker compose (?:stop|start) .*$/gm, '')
    .replaceAll(/docker compose exec -T \w+ /g, '');
  const env = { PATH: `${join(programs, 'bin')}:${process.env.PATH}`, PGHOST: hostname, PGPORT: port };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder, env });
}

async function withDatabase<T>(work: (database: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const database = openDatabase(server.url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

describe.skipIf(olderVersion === undefined)("a dump of PostgreSQL's own tools", { timeout: 120_000 }, () => {
  it('from before an upgrade is restored as documented, and migrated again', async () => {
    const [dump, restore] = documented("PostgreSQL's own tools", 'sh');
    const names = (await readMigrations()).map(({ name }) => name);
    await withDatabase(async (database) => {
      await applyMigrations(database, { only: names.slice(0, 10) });
    });
    await shell(`psql -q -U almanac -d almanac -c "insert into refusal_phrases (phrase) values ('kept')"`);
    await shell(dump);
    const upgraded = await withDatabase(async (database) => {
      await applyMigrations(database);
      const csv = someRates('2026-03-01').map(
        ({ provider, date, base, quote, rate }) => `${provider},${date},${base},${quote},${rate}`,
      );
      await importRates(database, lines(['provider,date,base,quote,rate', ...csv]), { today: '2026-03-20' });
      return digestBlends(database);
    });
    expect(upgraded.tables[0]?.rows).toBeGreaterThan(0);

    await shell(restore ?? '');
    await withDatabase(async (database) => {
      expect(await applyMigrations(database)).toEqual(names.slice(10));
      expect((await digestBlends(database)).tables[0]?.rows).toBe(0);
    });
    await shell(`psql -U almanac -d almanac -Atc "select phrase from refusal_phrases" | grep -x kept`);

    // Why not --clean: what is newer than the dump stays, and is made a second time.
    await shell(
      'pg_restore -U almanac --clean --if-exists --no-owner --exit-on-error -d almanac < almanac.dump',
    );
    await expect(withDatabase((database) => applyMigrations(database))).rejects.toThrow('already exists');
  });
});

async function* lines(all: readonly string[]): AsyncGenerator<string> {
  yield `${all.join('\n')}\n`;
}
