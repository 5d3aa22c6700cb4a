import type { Command } from 'commander';
import { printLines } from './output.js';
import type { Run } from './run.js';
import { say } from './session.js';
import { useDatabase } from './use-database.js';

export function addMigrate(program: Command, run: Run): void {
  program
    .command('migrate')
    .description('bring the database up to date; print the names of the migrations that were missing')
    .action(() =>
      run((session) =>
        useDatabase(session, async ({ migrated }) => {
          await printLines(session.stdout, migrated);
          if (migrated.length === 0) say(session, 'the database is up to date');
        }),
      ),
    );
}
