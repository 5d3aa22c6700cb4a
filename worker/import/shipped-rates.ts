import { extendCoverage } from '../../core/database/coverage.js';
import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { ensureProviders } from '../../core/database/providers.js';
import { hasRates } from '../../core/database/rates.js';
import { insertShipped, readLoadedFrom, startShippedRuns } from '../../core/database/shipped-rates.js';
import { inBulkTransaction, inOneView, type Transaction } from '../../core/database/transactions.js';
import { addDays, type CalendarDate, daysBetween, earlier, later } from '../../core/domain/dates.js';
import { isExcepted } from '../../core/domain/providers.js';
import { shippedRatesFolder } from '../../core/process/project-files.js';
import { blendChanged } from '../blend/blend-changed.js';
import { coverageOf, readShippedTables, type ShippedTable, shippedRows } from './shipped-tables.js';

/** A year, and what is carried forward to its first days. */
export const NEWEST_DAYS = 380;
const YEARS_OF_PART = 10;

export interface LoadedPart {
  /** Its first day. All later shipped rates are loaded. */
  from: CalendarDate;
  rowsNew: number;
  /** The new data version; undefined if all rates were recorded meanwhile. */
  version: bigint | undefined;
  isLast: boolean;
  /** The number of days that are loaded so far, and of all days. */
  days: { done: number; total: number };
  /** Milliseconds that it took. */
  ms: number;
}

/**
 * Fills an empty database with the shipped rates: the newest year first, then the years before, each part in its own
 * transaction. Yields each part once it is committed. Continues where another process stopped. Of concurrent processes, one at
 * a time loads a part. Yields nothing if the database has other rates already.
 */
export async function* loadShippedRates(
  database: Database,
  { begins = true, folder = shippedRatesFolder }: { begins?: boolean; folder?: string } = {},
): AsyncGenerator<LoadedPart> {
  // Check without the lock first, as another worker that blends all history holds it for minutes.
  const wanted = (view: Transaction) => isWanted(view, begins);
  if (!(await inOneView(database, wanted))) return;
  const tables = (await readShippedTables(folder)).filter(({ provider }) => !isExcepted(provider));
  for (;;) {
    const started = performance.now();
    const part = await inBulkTransaction(database, async (transaction) => {
      await lockData(transaction);
      return (await wanted(transaction)) ? loadNextPart(transaction, tables) : undefined;
    });
    if (part) yield { ...part, ms: Math.round(performance.now() - started) };
    if (!part || part.isLast) return;
  }
}

async function isWanted(view: Transaction, begins: boolean): Promise<boolean> {
  return (await readLoadedFrom(view)) !== undefined || (begins && !(await hasRates(view)));
}

async function loadNextPart(
  transaction: Transaction,
  tables: readonly ShippedTable[],
): Promise<Omit<LoadedPart, 'ms'> | undefined> {
  if (tables.length === 0) return undefined;
  const loadedFrom = await readLoadedFrom(transaction);
  const end = tables.map(({ to }) => to).reduce(later);
  const before = loadedFrom ?? addDays(end, 1);
  const from = loadedFrom === undefined ? addDays(before, -NEWEST_DAYS) : firstDayBefore(loadedFrom);
  const first = tables.map((table) => table.from).reduce(earlier);
  const isLast = first >= from;
  const rows = tables.flatMap((table) => [...shippedRows(table, from, before)]);
  if (loadedFrom === undefined) await startAll(transaction, tables, before);
  const { rowsNew, dates } = await insertShipped(transaction, rows, { from, isLast });
  const providers = tables.map(({ provider }) => provider);
  const { version } = await blendChanged(transaction, { dates, providers });
  const total = daysBetween(first, end) + 1;
  return {
    from,
    rowsNew,
    version,
    isLast,
    days: { done: isLast ? total : daysBetween(from, end) + 1, total },
  };
}

/** Prepares the first part. The coverage includes all parts, so that no list shows a shorter history for a while. */
async function startAll(
  transaction: Transaction,
  tables: readonly ShippedTable[],
  before: CalendarDate,
): Promise<void> {
  const providers = tables.map(({ provider }) => provider);
  await ensureProviders(transaction, providers);
  await startShippedRuns(transaction, tables, before);
  await extendCoverage(transaction, coverageOf(tables));
}

/** The first day of the decade that the day before belongs to. */
function firstDayBefore(day: CalendarDate): CalendarDate {
  const year = Number(addDays(day, -1).slice(0, 4));
  return `${year - (year % YEARS_OF_PART)}-01-01`;
}
