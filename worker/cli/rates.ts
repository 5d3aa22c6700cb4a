import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import type { Command } from 'commander';
import { exportRates } from '../../core/database/bulk/read-rates.js';
import { today } from '../../core/domain/dates.js';
import type { ShowProgress } from '../../core/process/progress.js';
import { importRates } from '../import/import.js';
import { pathArgument } from './arguments.js';
import { countsText, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';

const IMPORT_HELP = `
The file has the header provider,date,base,quote,rate and no quotation marks. All valid rows are stored, or nothing.
The columns buy and sell may follow. Without them, a rate that it replaces loses its buying and selling rates.
Of several rows for a pair and day, the first counts. Rates that can't be valid are dropped and counted.
A line that can't be read, or a file that ends within a line, is refused.

Examples:
  npm run --silent cli -- rates import rates.csv
  gunzip -c rates.csv.gz | npm run --silent cli -- rates import -`;

const EXPORT_HELP = `
Example:
  set -o pipefail; npm run --silent cli -- rates export | gzip > rates.csv.gz`;

export function define(rates: Command, session: Session): void {
  rates
    .command('import')
    .description('store the rates of a CSV file of any size and blend what they change')
    .argument('<file>', 'the CSV file, - for standard input', pathArgument)
    .addHelpText('after', IMPORT_HELP)
    .action(importFile.bind(null, session));
  rates
    .command('export')
    .description('write every stored rate as CSV, sorted, in the form that `rates import` reads')
    .argument('[file]', 'the file to write, - for standard output', pathArgument, '-')
    .addHelpText('after', EXPORT_HELP)
    .action(exportTo.bind(null, session));
}

async function exportTo(session: Session, file: string): Promise<void> {
  const { database } = await useDatabase(session);
  // Empties the file, and so must not happen before the database is reached.
  const output = file === '-' ? session.stdout : (await open(file, 'w')).createWriteStream();
  // Rates that are printed on the terminal show by themselves how far they are.
  if (file !== '-' || !session.stdout.isTTY) session.progress.show('exporting');
  const rows = await exportRates(database, output);
  sayDone(session, `exported ${rows} rows`);
}

async function importFile(session: Session, file: string): Promise<void> {
  // A missing file fails before an embedded database is started.
  const size = file === '-' ? undefined : (await stat(file)).size;
  const { database, announcements } = await useDatabase(session);
  // A pipe may wait for minutes.
  const csv = addAbortSignal(session.stopping, file === '-' ? session.stdin : createReadStream(file));
  const { show } = session.progress;
  const onProgress: ShowProgress = (step, done, total) => {
    session.stopping.throwIfAborted();
    if (step !== 'reading') show(step, done, total);
    else if ('bytesRead' in csv && size !== undefined) show(step, Math.min(csv.bytesRead, size), size);
  };
  const result = await importRates(database, csv, { today: today(session.clock), onProgress });
  if (result.version !== undefined) await announcements.publish(result.version);
  const { rowsDropped, rowsHeldBack } = result;
  const heldBack = rowsHeldBack > 0 ? `, ${rowsHeldBack} held back as suspect` : '';
  sayDone(session, `${countsText(result, rowsDropped)}${heldBack}`);
}
