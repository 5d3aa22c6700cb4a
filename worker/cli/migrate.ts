import type { Command } from 'commander';
import { applyMigrations } from '../../core/database/migrate.js';
import { prepareQueueTables } from '../../core/database/queue-tables.js';
import { printLines } from './output.js';
import { type Run, type Session, say } from './session.js';
import { type OpenDatabase, useDatabase } from './use-database.js';

export function addMigrate(program: Command, run: Run): void {
  program
    .command('migrate')
    .description('migrate the database; print the names of the applied migrations')
    .action(() =>
      run((session) => useDatabase(session, (open) => migrate(session, open), { prepare: false })),
    );
}

async function migrate(session: Session, { url, database }: OpenDatabase): Promise<void> {
  const { config, log } = session;
  const migrated = await applyMigrations(database, { log, signal: session.stopping });
  if (config.REDIS_URL === undefined) await prepareQueueTables(url, { migrate: true });
  await printLines(session.stdout, migrated);
  if (migrated.length === 0) say(session, 'the database is up to date');
}
