import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Database } from '../../core/database/database.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { shippedRatesFolder } from '../../core/process/project-files.js';
import { shippedTable } from '../../tools/bootstrap/shipped-table.js';
import { groupBy } from '../../tools/truth/group-by.js';
import { type LoadedPart, loadShippedRates } from '../../worker/import/shipped-rates.js';
import { readShippedTables, shippedRows } from '../../worker/import/shipped-tables.js';

/** The rates that ship with the project, from a day on. */
export async function shippedRates(from: CalendarDate = '0000-01-01'): Promise<RawRow[]> {
  const tables = await readShippedTables(shippedRatesFolder);
  return tables.flatMap((table) => [...shippedRows(table, from, '9999-12-31')]);
}

/** Writes rows into a folder of tables, as the project ships them. */
export async function writeTables(folder: string, rows: Iterable<RawRow>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [provider, own] of groupBy(rows, (row) => row.provider))
    await writeFile(join(folder, `${provider}.csv.gz`), gzipSync(shippedTable(own)));
}

/** Loads all parts of a folder of tables, by default of those that ship, as a worker does. */
export async function loadAll(
  database: Database,
  options?: Parameters<typeof loadShippedRates>[1],
): Promise<LoadedPart[]> {
  const parts: LoadedPart[] = [];
  for await (const part of loadShippedRates(database, options)) parts.push(part);
  return parts;
}
