import type { Command } from 'commander';
import { backUp } from '../backup/backup.js';
import { CommandFailed } from './failure.js';
import { printTable } from './output.js';
import type { Run } from './session.js';
import { useDatabase } from './use-database.js';

const EXAMPLE = `
The folder has a file for each table and a manifest with their hashes. The service may run. \`restore\` reads it, with this
version of the program or a newer one.

Example:
  npm run --silent cli -- backup ../almanac-before-the-move`;

export function addBackup(program: Command, run: Run): void {
  program
    .command('backup')
    .description('back up all tables of the database into a new folder, and check the backup')
    .argument('<folder>', 'the folder to create')
    .addHelpText('after', EXAMPLE)
    .action((folder: string) =>
      run((session) =>
        useDatabase(
          session,
          async ({ database }) => {
            const made = await backUp(database, folder, session.clock());
            if (!made) throw new CommandFailed(`${folder} already exists`);
            const tables = made.tables.map(({ name, rows }) => [name, rows]);
            await printTable(session.stdout, ['TABLE', 'ROWS'], tables);
          },
          { prepare: false },
        ),
      ),
    );
}
