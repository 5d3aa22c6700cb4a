import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { exportRates } from '../../../core/database/bulk/read-rates.js';
import type { Database } from '../../../core/database/database.js';
import { importRates } from '../../../worker/import/import.js';

export const HEADER = 'provider,date,base,quote,rate';
export const EXPORT_HEADER = `${HEADER},buy,sell`;

/** Imports the lines of a file, its header included. */
export const importLines = (database: Database, lines: readonly string[], today = '2026-03-20') =>
  importRates(database, Readable.from([`${lines.join('\n')}\n`]), { today });

/** The lines of an export, the header first. */
export async function exported(database: Database): Promise<string[]> {
  const output = new PassThrough();
  const [csv] = await Promise.all([text(output), exportRates(database, output)]);
  return csv.trimEnd().split('\n');
}
