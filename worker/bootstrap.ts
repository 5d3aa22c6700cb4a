import { createReadStream, existsSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { Logger } from 'pino';
import { type Clock, today } from '../core/clock.js';
import { dataFile } from '../core/data-files.js';
import { type Database, withTransaction } from '../core/database.js';
import { lockData } from './blend/data-version.js';
import { type ImportResult, importInto, isEmpty } from './import/import.js';

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
  database: Pick<Database, 'pool'>,
  log: Logger,
  { clock, file = dataFile('bootstrap.csv.gz') }: BootstrapOptions,
): Promise<ImportResult | undefined> {
  if (!existsSync(file)) {
    log.warn({ file }, 'no bootstrap rates to load');
    return undefined;
  }
  const started = performance.now();
  const result = await withTransaction(database.pool, async (client) => {
    await lockData(client);
    if (!(await isEmpty(client))) return undefined;
    const csv = createReadStream(file);
    const unzipped = csv.pipe(createGunzip());
    csv.on('error', (error) => unzipped.destroy(error));
    return importInto(client, unzipped, { today: today(clock) });
  });
  if (result) {
    log.info(
      { rows: result.rowsNew, ms: Math.round(performance.now() - started) },
      'loaded the bootstrap rates',
    );
  }
  return result;
}
