import type { Command } from 'commander';
import { readSetAside } from '../../core/database/set-aside.js';
import { keyArgument } from './arguments.js';
import { printTable } from './output.js';
import type { Run } from './session.js';
import { useDatabase } from './use-database.js';

const EXAMPLES = `
A window is asked for again with "ingest KEY --from FROM --to TO", and is off the list once that succeeds.`;

export function addSetAside(program: Command, run: Run): void {
  program
    .command('set-aside')
    .description('print the windows that backfills passed over, as they failed again and again')
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
