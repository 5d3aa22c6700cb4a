import type { Database } from '../../core/database/database.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { shippedRatesFolder } from '../../core/process/project-files.js';
import {
  type LoadedPart,
  loadShippedRates,
  readShippedRates,
  readShippedTables,
  shippedRows,
} from '../../worker/import/shipped-rates.js';

/** The rates that ship with the project, from a day on. */
export async function shippedRates(from: CalendarDate = '0000-01-01'): Promise<RawRow[]> {
  const tables = await readShippedTables(shippedRatesFolder);
  return tables.flatMap((table) => [...shippedRows(table, from, '9999-12-31')]);
}

/** Loads all parts of a folder of tables, by default of those that ship, as a worker does. */
/** The option to load the rates of another folder. */
export function shippedIn(folder: string) {
  return { shipped: () => readShippedRates(folder) };
}

export async function loadAll(
  database: Database,
  options?: Parameters<typeof loadShippedRates>[1],
): Promise<LoadedPart[]> {
  const parts: LoadedPart[] = [];
  for await (const part of loadShippedRates(database, options)) parts.push(part);
  return parts;
}
