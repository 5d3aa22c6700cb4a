import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { suspectsBetween } from '../../core/database/suspects.js';
import { inBulkTransaction, type Transaction } from '../../core/database/transactions.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { importInto } from '../../worker/import/import.js';
import { storeAndBlend } from '../../worker/ingest/store.js';
import { type DrawnError, keyOf } from './measure.js';

/**
 * Stores days with errors in an empty database as ingests do, each after the days before it as they were recorded, and
 * rolls each back. Returns a line for each error of which other rates are held back than were measured. Rows and errors
 * are in the order of their dates.
 */
export async function differencesWhenStored(
  database: Database,
  rows: readonly RawRow[],
  errors: readonly DrawnError[],
): Promise<string[]> {
  const differences: string[] = [];
  let stored = 0;
  for (const { wrong, heldBack, cell } of errors) {
    const [target] = wrong.keys();
    if (!target) continue;
    const { date, provider } = target;
    const start = rows.findIndex((row) => row.date === date);
    await inBulkTransaction(database, (transaction) =>
      importRows(transaction, rows.slice(stored, start), date),
    );
    stored = start;
    const today = rows
      .filter((row) => row.date === date)
      .map((row) => ({ ...row, rate: wrong.get(row) ?? row.rate }));
    const [others, table] = [false, true].map((isOwn) =>
      today.filter((row) => isOwn === (row.provider === provider)),
    ) as [RawRow[], RawRow[]];
    const found = await rolledBack(database, async (transaction) => {
      await importRows(transaction, others, date);
      await storeAndBlend(transaction, provider, table);
      const suspects = await suspectsBetween(transaction, { from: date, to: date });
      return suspects.filter(({ status }) => status === 'held').map(keyOf);
    });
    const [one, other] = [found, [...heldBack]].map((keys) => keys.sort().join(', ') || 'nothing');
    if (one !== other) differences.push(`${date} ${cell.fault.name}: ${one}, measured ${other}`);
  }
  return differences;
}

async function importRows(
  transaction: Transaction,
  rows: readonly RawRow[],
  today: CalendarDate,
): Promise<void> {
  async function* batches() {
    // The import rounds them.
    yield rows.map((row) => ({ ...row }));
  }
  await lockData(transaction);
  await importInto(transaction, batches(), { today });
}

/** Does work in a transaction that is rolled back. */
async function rolledBack<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const end = new Error('rolled back');
  let result: T | undefined;
  await inBulkTransaction(database, async (transaction) => {
    result = await work(transaction);
    throw end;
  }).catch((error: unknown) => {
    if (error !== end) throw error;
  });
  return result as T;
}
