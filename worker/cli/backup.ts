import type { Command } from 'commander';
import { backUp } from '../backup/backup.js';
import { restore } from '../backup/restore.js';
import { CommandFailed } from './failure.js';
import { printTable } from './output.js';
import { type Run, type Session, say } from './session.js';
import { useDatabase } from './use-database.js';

const BACKUP_HELP = `
The folder has a file for each table and a manifest with their hashes. The service may run. \`restore\` reads it, with this
version of the program or a newer one.`;

const RESTORE_HELP = `
All or nothing. The database must be new, or have the tables of the backup's version and no rates; --replace removes all that
it holds. Running APIs serve the restored rates within 15 seconds.`;

export function addBackup(program: Command, run: Run): void {
  program
    .command('backup')
    .description('back up all tables of the database into a new folder, and check the backup')
    .argument('<folder>', 'the folder to create')
    .addHelpText('after', BACKUP_HELP)
    .action((folder: string) => run((session) => backUpInto(session, folder)));
  program
    .command('restore')
    .description('restore a database from a backup, checked by its hashes and digest')
    .argument('<folder>', 'a folder made by `backup`')
    .option('--replace', 'replace everything in the database')
    .addHelpText('after', RESTORE_HELP)
    .action((folder: string, options: { replace?: boolean }) =>
      run((session) => restoreFrom(session, folder, options)),
    );
}

async function backUpInto(session: Session, folder: string): Promise<void> {
  const made = await useDatabase(session, ({ database }) => backUp(database, folder, session.clock()), {
    prepare: false,
  });
  if (!made) throw new CommandFailed(`${folder} already exists`);
  const tables = made.tables.map(({ name, rows }) => [name, rows]);
  await printTable(session.stdout, ['TABLE', 'ROWS'], tables);
}

async function restoreFrom(session: Session, folder: string, options: { replace?: boolean }): Promise<void> {
  const { takenAt, tables } = await useDatabase(
    session,
    ({ database }) => restore(database, folder, options),
    { prepare: false },
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  say(session, `restored ${rows} rows of ${takenAt}`);
}
