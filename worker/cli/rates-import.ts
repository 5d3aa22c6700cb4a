import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { today } from '../../core/domain/clock.js';
import { importRates } from '../import/import.js';
import type { ImportProgress, ImportResult } from '../import/import-result.js';
import { openProgress, type Progress } from './progress.js';
import { type Run, type Session, say } from './session.js';
import { useDatabase } from './use-database.js';

const EXAMPLES = `
The file has the header provider,date,base,quote,rate and no quotation marks. All of it is stored, or nothing.
A file that was cut short is refused: within a line, or an export without its last line.
A file of "rates export --history" fills an empty database with everything that the other one recorded.

Examples:
  npm run --silent cli -- rates import rates.csv
  gunzip -c data/bootstrap.csv.gz | npm run --silent cli -- rates import -`;

export function addRatesImport(rates: Command, run: Run): void {
  rates
    .command('import')
    .description('store the rates of a CSV file of any size and blend what they change')
    .argument('<file>', 'the CSV file, - for standard input')
    .addHelpText('after', EXAMPLES)
    .action((file: string) => run((session) => importFile(session, file)));
}

async function importFile(session: Session, file: string): Promise<void> {
  // A missing file fails before an embedded database is started.
  const size = file === '-' ? undefined : (await stat(file)).size;
  const progress = openProgress(session);
  const result = await useDatabase(session, async ({ database, announcements }) => {
    let read = 0;
    const bytes = file === '-' ? session.stdin : createReadStream(file);
    async function* counted(): AsyncGenerator<Uint8Array | string> {
      for await (const chunk of bytes) {
        session.stopping.throwIfAborted();
        read += chunk.length;
        yield chunk;
      }
    }
    const onProgress = (step: ImportProgress) => {
      session.stopping.throwIfAborted();
      showStep(progress, step, read, size);
    };
    const imported = await importRates(database, counted(), { today: today(session.clock), onProgress });
    if (imported.version !== undefined) await announcements.publish(imported.version);
    return imported;
  }).finally(() => progress.stop());
  say(session, summary(result));
}

function showStep(progress: Progress, step: ImportProgress, read: number, size: number | undefined): void {
  if (step.step === 'reading') {
    if (size !== undefined) progress.show('reading', Math.min(read, size), size);
  } else if (step.step === 'storing') {
    progress.show('storing', 0, 1);
  } else {
    progress.show('blending', step.done, step.total);
  }
}

function summary({ rowsNew, rowsCorrected, rowsUnchanged, rowsDropped, rowsHeldBack }: ImportResult): string {
  const dropped = Object.entries(rowsDropped).map(([reason, count]) => `, ${count} dropped (${reason})`);
  const heldBack = rowsHeldBack > 0 ? `, ${rowsHeldBack} held back as suspect` : '';
  return `${rowsNew} new, ${rowsCorrected} corrected, ${rowsUnchanged} unchanged${dropped.join('')}${heldBack}`;
}
