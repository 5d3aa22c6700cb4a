import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { hasRates } from '../../core/database/rates.js';
import { inBulkTransaction, inOneView } from '../../core/database/transactions.js';
import { type Clock, today } from '../../core/domain/clock.js';
import { firstRatesFile } from '../../core/process/project-files.js';
import { readCsv } from './csv.js';
import { importInto } from './import.js';
import type { ImportResult } from './import-result.js';

interface BootstrapOptions {
  clock: Clock;
  /** A gzipped CSV file for `importRates`. */
  file?: string;
}

/**
 * Fills an empty database with the rates that ship with the project. Undefined if there are rates already or the file is
 * missing. Of concurrent processes one imports; the others wait.
 */
export async function bootstrap(
  database: Database,
  log: Logger,
  { clock, file = firstRatesFile }: BootstrapOptions,
): Promise<ImportResult | undefined> {
  if (!existsSync(file)) {
    log.warn({ file }, 'the file of bootstrap rates is missing: the database stays empty');
    return undefined;
  }
  // Check without the lock first, as another worker that blends all history holds it for minutes.
  if (await inOneView(database, hasRates)) return undefined;
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

/** Opens the file only when it is read, because an earlier error would have no handler. */
async function* unzip(file: string): AsyncGenerator<Uint8Array> {
  const unzipped = createGunzip();
  pipeline(createReadStream(file), unzipped, () => {
    // Errors of both streams are thrown by the iteration below.
  });
  yield* unzipped;
}
