import type { Command } from 'commander';
import { backUp } from '../backup/backup.js';
import type { Manifest } from '../backup/manifest.js';
import { restore } from '../backup/restore.js';
import { CommandFailed } from './failure.js';
import { printTable } from './output.js';
import { type Run, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';

const BACKUP_HELP = `
The folder has a file for each table and a manifest with their hashes. The service may run. \`restore\` reads it, with this
version of the program or a newer one.`;

const RESTORE_HELP = `
All or nothing. The database must be new, or have the tables of the backup's version and no rates; --replace removes all that
it holds. Running APIs serve the restored rates within 15 seconds.`;

export function defineBackup(command: Command, run: Run): void {
  command
    .argument('<folder>', 'the folder to create')
    .addHelpText('after', BACKUP_HELP)
    .action((folder: string) => run((session) => backUpInto(session, folder)));
}

export function defineRestore(command: Command, run: Run): void {
  command
    .argument('<folder>', 'a folder made by `backup`')
    .option('--replace', 'replace everything in the database')
    .addHelpText('after', RESTORE_HELP)
    .action((folder: string, options: { replace?: boolean }) =>
      run((session) => restoreFrom(session, folder, options)),
    );
}

async function backUpInto(session: Session, folder: string): Promise<void> {
  const { clock, progress, stdout } = session;
  const made = await useDatabase(
    session,
    ({ database }) => backUp(database, folder, { now: clock(), onProgress: progress.show }),
    { prepare: false },
  );
  if (!made) throw new CommandFailed(`${folder} already exists`);
  const tables = made.tables.map(({ name, rows }) => [name, rows]);
  progress.stop();
  await printTable(stdout, ['TABLE', 'ROWS'], tables);
  sayDone(session, `backed up ${rowsOf(made)} rows into ${folder}`);
}

async function restoreFrom(session: Session, folder: string, options: { replace?: boolean }): Promise<void> {
  const restored = await useDatabase(
    session,
    ({ database }) => restore(database, folder, { ...options, onProgress: session.progress.show }),
    { prepare: false },
  );
  sayDone(session, `restored ${rowsOf(restored)} rows of ${restored.takenAt}`);
}

function rowsOf({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
