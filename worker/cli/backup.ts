import type { Command } from 'commander';
import { backUp } from '../backup/backup.js';
import { rowsIn } from '../backup/manifest.js';
import { pathArgument } from './arguments.js';
import { CommandFailed } from './failure.js';
import { printTable } from './output.js';
import { type Run, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';

export const HELP = `
The folder has a file for each table and a manifest with their hashes. The service may run. \`restore\` reads it, with this
version of the program or a newer one.`;

export function define(command: Command, run: Run): void {
  command
    .argument('<folder>', 'the folder to create', pathArgument)
    .action((folder: string) => run((session) => backUpInto(session, folder)));
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
  sayDone(session, `backed up ${rowsIn(made)} rows into ${folder}`);
}
