import { createWriteStream } from 'node:fs';
import type { Command } from 'commander';
import { exportRates } from '../../core/database/bulk/export-rates.js';
import type { Run } from './run.js';
import type { Session } from './session.js';
import { useDatabase } from './use-database.js';

const EXAMPLE = '\nExample:\n  npm run --silent cli -- rates export | gzip > rates.csv.gz';

export function addRatesExport(rates: Command, run: Run): void {
  rates
    .command('export')
    .description('write every stored rate as CSV, sorted, in the form that `rates import` reads')
    .argument('[file]', 'the file to write (default: standard output)')
    .option('--history', 'with what was replaced, and when each rate was recorded: to move a database whole')
    .addHelpText('after', EXAMPLE)
    .action((file: string | undefined, { history }: Options) =>
      run((session) => exportTo(session, file, { history })),
    );
}

interface Options {
  history?: boolean | undefined;
}

async function exportTo(session: Session, file: string | undefined, options: Options): Promise<void> {
  await useDatabase(session, ({ database }) =>
    exportRates(
      database,
      file === undefined || file === '-' ? session.stdout : createWriteStream(file),
      options,
    ),
  );
}
