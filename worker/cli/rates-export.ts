import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { exportRates } from '../../core/database/bulk/export-rates.js';
import { createTrailer } from '../import/trailer.js';
import type { Run, Session } from './session.js';
import { useDatabase } from './use-database.js';

const EXAMPLE = `
The last line has the number of rows and their hash, so that \`rates import\` detects a file that was cut short.

Example:
  set -o pipefail; npm run --silent cli -- rates export | gzip > rates.csv.gz`;

export function addRatesExport(rates: Command, run: Run): void {
  rates
    .command('export')
    .description('write every stored rate as CSV, sorted, in the form that `rates import` reads')
    .argument('[file]', 'the file to write (default: standard output)')
    .option('--history', 'also replaced rates, and when each rate was recorded: to move a whole database')
    .option('--plain', 'rows and header only, without the first and last line, which describe the file')
    .addHelpText('after', EXAMPLE)
    .action((file: string | undefined, options: Options) =>
      run((session) => exportTo(session, file, options)),
    );
}

interface Options {
  history?: boolean | undefined;
  plain?: boolean | undefined;
}

async function exportTo(
  session: Session,
  file: string | undefined,
  { history, plain }: Options,
): Promise<void> {
  await useDatabase(session, async ({ database }) => {
    const output = file === undefined || file === '-' ? session.stdout : createWriteStream(file);
    if (plain) return exportRates(database, output, { history });
    const trailer = createTrailer();
    await Promise.all([exportRates(database, trailer, { history }), pipeline(trailer, output)]);
  });
}
