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
  if (!(await inOneView(database, (view) => findNext(view, begins)))) return;
  const tables = (await readShippedTables(folder)).filter(({ provider }) => !isExcepted(provider));
  if (tables.length === 0) return;
  for (;;) {
    const started = performance.now();
    const part = await inBulkTransaction(database, async (transaction) => {
      await lockData(transaction);
      const next = await findNext(transaction, begins);
      return next && loadPart(transaction, tables, next);
    });
    if (part) yield { ...part, ms: Math.round(performance.now() - started) };
    if (!part || part.isLast) return;
  }
}

/** The day before which the next part ends, or the part with the newest days. Undefined if nothing is to be loaded. */
async function findNext(view: Transaction, begins: boolean): Promise<CalendarDate | 'newest' | undefined> {
  return (await readLoadedFrom(view)) ?? (begins && !(await hasRates(view)) ? 'newest' : undefined);
}

async function loadPart(
  transaction: Transaction,
  tables: readonly ShippedTable[],
  next: CalendarDate | 'newest',
): Promise<Omit<LoadedPart, 'ms'>> {
  const end = tables.map(({ to }) => to).reduce(later);
  const before = next === 'newest' ? addDays(end, 1) : next;
  const from = next === 'newest' ? addDays(before, -NEWEST_DAYS) : firstDayBefore(next);
  const first = tables.map((table) => table.from).reduce(earlier);
  const isLast = first >= from;
  const rows = tables.flatMap((table) => [...shippedRows(table, from, before)]);
  if (next === 'newest') await startAll(transaction, tables, before);
  const { rowsNew, dates } = await insertShipped(transaction, rows, { from, isLast });
  const providers = tables.map(({ provider }) => provider);
  const { version } = await blendChanged(transaction, { dates, providers });
  const daysFrom = (day: CalendarDate) => daysBetween(day, end) + 1;
  return {
    from,
    rowsNew,
    version,
    isLast,
    days: { done: daysFrom(later(from, first)), total: daysFrom(first) },
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
