import { join } from 'node:path';
import type { Command } from 'commander';
import { type Database, openDatabase } from '../../core/database/database.js';
import { upgradeCluster } from '../../core/database/embedded-postgres/upgrade.js';
import { ConfigurationError } from '../../core/process/config.js';
import { backUp } from '../backup/backup.js';
import { restore } from '../backup/restore.js';
import { type Run, type Session, say } from './session.js';

const EXAMPLE = `
Only for the embedded PostgreSQL, after an update of this program that brings its next major version. Stop the service before.
The old data are kept beside the new ones.

Example:
  npm run --silent cli -- upgrade-database --programs /usr/lib/postgresql/17`;

export function addUpgradeDatabase(program: Command, run: Run): void {
  program
    .command('upgrade-database')
    .description('move the embedded database to the PostgreSQL of this version, checked by its digest')
    .requiredOption(
      '--programs <folder>',
      'PostgreSQL of the old major version: the folder that has bin/postgres',
    )
    .addHelpText('after', EXAMPLE)
    .action(({ programs }: { programs: string }) => run((session) => upgrade(session, programs)));
}

async function upgrade(session: Session, programs: string): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = session.config;
  if (DATABASE_URL !== undefined) {
    throw new ConfigurationError(
      'DATABASE_URL: must not be set, as only the embedded database can be upgraded',
    );
  }
  const { from, kept } = await upgradeCluster(DATA_DIR, programs, async (oldUrl, newUrl, folder) => {
    const target = join(folder, 'backup');
    await withDatabase(oldUrl, (database) => backUp(database, target, session.clock()));
    await withDatabase(newUrl, (database) => restore(database, target));
  });
  say(session, `upgraded from PostgreSQL ${from}; the old data are in ${kept}, which you can delete`);
}

async function withDatabase(url: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = openDatabase(url);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
