import type { Command } from 'commander';
import { rowsIn } from '../backup/manifest.js';
import { restore } from '../backup/restore.js';
import { pathArgument } from './arguments.js';
import { type Run, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';

export const HELP = `
All or nothing. The database must be new, or have the tables of the backup's version and no rates; --replace removes all that
it holds. Running APIs serve the restored rates within 15 seconds.`;

export function define(command: Command, run: Run): void {
  command
    .argument('<folder>', 'a folder made by `backup`', pathArgument)
    .option('--replace', 'replace everything in the database')
    .action((folder: string, options: { replace?: boolean }) =>
      run((session) => restoreFrom(session, folder, options)),
    );
}

async function restoreFrom(session: Session, folder: string, options: { replace?: boolean }): Promise<void> {
  const restored = await useDatabase(
    session,
    ({ database }) => restore(database, folder, { ...options, onProgress: session.progress.show }),
    { prepare: false },
  );
  sayDone(session, `restored ${rowsIn(restored)} rows of ${restored.takenAt}`);
}
