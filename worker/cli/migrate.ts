import { join } from 'node:path';
import type { Command } from 'commander';
import { type Database, openDatabase } from '../../core/database/database.js';
import { upgradeCluster } from '../../core/database/embedded-postgres/upgrade.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { prepareQueueTables } from '../../core/database/queue-tables.js';
import { ConfigurationError, dataFolder } from '../../core/process/config.js';
import { backUp } from '../backup/backup.js';
import { restore } from '../backup/restore.js';
import { printLines } from './output.js';
import { type Run, type Session, say, sayDone } from './session.js';
import { type OpenDatabase, useDatabase } from './use-database.js';

export const HELP = `
Prints the names of the migrations that it applies. --programs is for the embedded PostgreSQL, after an update of this program
that brings its next major version: it moves the data to it, checked by their digest. Stop the service first. The old data
are kept beside the new ones.

Example:
  npm run --silent cli -- migrate --programs /usr/lib/postgresql/17`;

export function define(command: Command, run: Run): void {
  command
    .option('--programs <folder>', 'PostgreSQL of the old major version: the folder that has bin/postgres')
    .action(({ programs }: { programs?: string }) =>
      run(async (session) => {
        if (programs !== undefined) return upgrade(session, programs);
        await useDatabase(session, (open) => migrate(session, open), { prepare: false });
      }),
    );
}

async function migrate(session: Session, { url, database }: OpenDatabase): Promise<void> {
  const { config, log } = session;
  const migrated = await applyMigrations(database, { log, signal: session.stopping });
  if (config.REDIS_URL === undefined) await prepareQueueTables(url);
  await printLines(session.stdout, migrated);
  if (migrated.length === 0) say(session, 'the database is up to date');
}

async function upgrade(session: Session, programs: string): Promise<void> {
  const { clock, config, progress } = session;
  const { DATABASE_URL } = config;
  const onProgress = progress.show;
  if (DATABASE_URL !== undefined) {
    throw new ConfigurationError(
      'DATABASE_URL: must not be set, as only the embedded database can be upgraded',
    );
  }
  const { from, kept } = await upgradeCluster(
    dataFolder(config),
    programs,
    async (oldUrl, newUrl, folder) => {
      const target = join(folder, 'backup');
      await withDatabase(oldUrl, (database) => backUp(database, target, { now: clock(), onProgress }));
      await withDatabase(newUrl, (database) => restore(database, target, { onProgress }));
    },
  );
  const done = `upgraded from PostgreSQL ${from}, whose data are kept in ${kept} until you delete them,`;
  sayDone(session, done);
}

async function withDatabase(url: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = openDatabase(url);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
