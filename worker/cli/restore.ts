import type { Command } from 'commander';
import { restore } from '../backup/restore.js';
import { type Run, say } from './session.js';
import { useDatabase } from './use-database.js';

const EXAMPLE = `
All or nothing. The database is to be new, or to have the tables of the backup's version and no rates; --replace removes all
that it holds. Running APIs serve the restored rates within 15 seconds.

Example:
  npm run --silent cli -- restore ../almanac-before-the-move`;

export function addRestore(program: Command, run: Run): void {
  program
    .command('restore')
    .description('restore a database from a backup, checked by its hashes and digest')
    .argument('<folder>', 'a folder made by `backup`')
    .option('--replace', 'replace everything in the database')
    .addHelpText('after', EXAMPLE)
    .action((folder: string, options: { replace?: boolean }) =>
      run((session) =>
        useDatabase(
          session,
          async ({ database }) => {
            const { takenAt, tables } = await restore(database, folder, options);
            const rows = tables.reduce((sum, table) => sum + table.rows, 0);
            say(session, `restored ${rows} rows of ${takenAt}`);
          },
          { prepare: false },
        ),
      ),
    );
}
