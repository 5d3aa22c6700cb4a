import { join } from 'node:path';
import { type Database, openDatabase } from '../../core/database/database.js';
import { upgradeCluster } from '../../core/database/embedded-postgres/upgrade.js';
import { rowsIn } from '../../core/database/kept-backups.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { createLoginLink } from '../../core/database/operator-token.js';
import { prepareQueueTables } from '../../core/database/queue-tables.js';
import { digestBlends } from '../../core/database/rates.js';
import { ConfigurationError, dataFolder } from '../../core/process/config.js';
import { backUp, restore } from '../backup/backup.js';
import { rebuild } from '../blend/reblend.js';
import { pathArgument } from './arguments.js';
import {
  type CommandDefinition,
  CommandFailed,
  printLines,
  printTable,
  type Session,
  say,
  sayDone,
} from './session.js';
import { useDatabase } from './use-database.js';

export const backup: CommandDefinition = {
  help: `
The folder has a file for each table and a manifest with their hashes. The service may run. \`restore\` reads it, with this
version of the program or a newer one.`,
  define: (command, session) =>
    command.argument('<folder>', 'the folder to create', pathArgument).action(backUpInto.bind(null, session)),
};

async function backUpInto(session: Session, folder: string): Promise<void> {
  const { clock, progress, stdout } = session;
  const { database } = await useDatabase(session, { prepare: false });
  const made = await backUp(database, folder, { now: clock(), onProgress: progress.show });
  if (!made) throw new CommandFailed(`${folder} already exists`);
  const tables = made.tables.map(({ name, rows }) => [name, rows]);
  progress.stop();
  await printTable(stdout, ['TABLE', 'ROWS'], tables);
  sayDone(session, `backed up ${rowsIn(made)} rows into ${folder}`);
}

export const restoring: CommandDefinition = {
  help: `
All or nothing. The database must be new, or have the tables of the backup's version and no rates; --replace removes all that
it holds. Running APIs serve the restored rates within 15 seconds.`,
  define: (command, session) =>
    command
      .argument('<folder>', 'a folder made by `backup`', pathArgument)
      .option('--replace', 'replace everything in the database')
      .action(restoreFrom.bind(null, session)),
};

async function restoreFrom(session: Session, folder: string, options: { replace?: boolean }): Promise<void> {
  const { database } = await useDatabase(session, { prepare: false });
  const restored = await restore(database, folder, { ...options, onProgress: session.progress.show });
  sayDone(session, `restored ${rowsIn(restored)} rows of ${restored.takenAt}`);
}

export const blend: CommandDefinition = {
  define: (command, session) =>
    command
      .command('rebuild')
      .description('blend all history; readers see the old blends until all are committed')
      .action(rebuildAll.bind(null, session)),
};

async function rebuildAll(session: Session): Promise<void> {
  const { database, announcements } = await useDatabase(session);
  const onProgress = (done: number, total: number) => {
    session.stopping.throwIfAborted();
    session.progress.show('blending', done, total);
  };
  const version = await rebuild(database, { onProgress });
  if (version !== undefined) await announcements.publish(version);
  const done =
    version === undefined ? 'all blends were already up to date: checked' : `blended data version ${version}`;
  sayDone(session, done);
}

export const digest: CommandDefinition = {
  help: `
Two databases with the same lines have the same blended rates, to the last digit. The data version, which may differ,
goes to standard error.`,
  define: (command, session) => command.action(printDigest.bind(null, session)),
};

async function printDigest(session: Session): Promise<void> {
  const { database } = await useDatabase(session);
  const { version, periods } = await digestBlends(database);
  const rows = periods.map(({ period, rows, sha256 }) => [period, rows, sha256]);
  await printTable(session.stdout, ['PERIOD', 'ROWS', 'SHA-256'], rows);
  say(session, `data version ${version}`);
}

export const loginLink: CommandDefinition = {
  help: `
The link works once, for an hour. It leads to a page that sets the operators' token, also if the old one is lost: all sessions
then end. If ADMIN_TOKEN is set, that is the token, and the command fails.`,
  define: (command, session) => command.action(printLink.bind(null, session)),
};

async function printLink(session: Session): Promise<void> {
  const { config, clock, stdout } = session;
  if (config.ADMIN_TOKEN !== undefined) throw new CommandFailed('ADMIN_TOKEN is set: log in with that token');
  const { database } = await useDatabase(session);
  const path = await createLoginLink(database, clock());
  await printLines(stdout, [`http://localhost:${config.ADMIN_PORT ?? config.PORT}${path}`]);
}

export const migrate: CommandDefinition = {
  help: `
Prints the names of the migrations that it applies. --programs is for the embedded PostgreSQL, after an update of this program
that brings its next major version: it moves the data to it, checked by their digest. Stop the service first. The old data
are kept beside the new ones.

Example:
  npm run --silent cli -- migrate --programs /usr/lib/postgresql/17`,
  define: (command, session) =>
    command
      .option('--programs <folder>', 'PostgreSQL of the old major version: the folder that has bin/postgres')
      .action(migrateTo.bind(null, session)),
};

async function migrateTo(session: Session, { programs }: { programs?: string }): Promise<void> {
  if (programs !== undefined) return upgrade(session, programs);
  const { config, log, stopping } = session;
  const { url, database } = await useDatabase(session, { prepare: false });
  const migrated = await applyMigrations(database, { log, signal: stopping });
  if (config.REDIS_URL === undefined) await prepareQueueTables(url);
  await printLines(session.stdout, migrated);
  if (migrated.length === 0) say(session, 'the database is up to date');
}

async function upgrade(session: Session, programs: string): Promise<void> {
  const { clock, config, progress } = session;
  const onProgress = progress.show;
  if (config.DATABASE_URL !== undefined) {
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
