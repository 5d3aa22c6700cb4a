import type { Command } from 'commander';
import { readSetAside } from '../../core/database/set-aside.js';
import { keyArgument } from './arguments.js';
import { printTable } from './output.js';
import type { Run } from './session.js';
import { useDatabase } from './use-database.js';

const EXAMPLES = `
They are retried daily for a week, then weekly, or with "ingest KEY --from FROM --to TO", and are off the
list once that succeeds.`;

export function addSetAside(program: Command, run: Run): void {
  program
    .command('set-aside')
    .description('print the days that could not be read: steps of backfills, and single documents')
    .argument('[key]', "only this provider's", keyArgument)
    .addHelpText('after', EXAMPLES)
    .action((key: string | undefined) =>
      run((session) =>
        useDatabase(session, async ({ database }) => {
          const rows = (await readSetAside(database, key)).map(
            ({ provider, from, to, since, attempts, reason }) => [
              provider,
              from,
              to,
              since.toISOString(),
              attempts,
              reason,
            ],
          );
          const titles = ['PROVIDER', 'FROM', 'TO', 'SINCE', 'ATTEMPTS', 'REASON'];
          await printTable(session.stdout, titles, rows);
        }),
      ),
    );
}
