import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { hasRates } from '../../core/database/rates.js';
import { inBulkTransaction } from '../../core/database/transactions.js';
import { type Clock, today } from '../../core/domain/clock.js';
import { dataFile } from '../../core/process/project-files.js';
import { readCsv } from './csv.js';
import { type ImportResult, importInto } from './import.js';

interface BootstrapOptions {
  clock: Clock;
  /** A gzipped CSV as `importRates` reads it. */
  file?: string;
}

/**
 * Fills an empty database with the rates that ship with the project, so that a fresh start has something real to
 * answer. Does nothing where there are rates already or there is no such file. Of several processes that try at
 * once one does it; the others wait. Returns what was imported, undefined where nothing was.
 */
export async function bootstrap(
  database: Database,
  log: Logger,
  { clock, file = dataFile('bootstrap.csv.gz') }: BootstrapOptions,
): Promise<ImportResult | undefined> {
  if (!existsSync(file)) {
    log.warn({ file }, 'no bootstrap rates to load');
    return undefined;
  }
  const started = performance.now();
  const result = await inBulkTransaction(database, async (transaction) => {
    await lockData(transaction);
    if (await hasRates(transaction)) return undefined;
    return importInto(transaction, readCsv(unzip(file)), { today: today(clock) });
  });
  if (result) {
    log.info(
      { rows: result.rowsNew, ms: Math.round(performance.now() - started) },
      'loaded the bootstrap rates',
    );
  }
  return result;
}

/** Opens the file when the first byte is wanted, and not before someone listens to what goes wrong. */
async function* unzip(file: string): AsyncGenerator<Uint8Array> {
  const unzipped = createGunzip();
  pipeline(createReadStream(file), unzipped, () => {
    // An error of either has reached the reader below.
  });
  yield* unzipped;
}
