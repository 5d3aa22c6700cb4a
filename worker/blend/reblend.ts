import { wholeHistory } from '../../core/database/blended-rates.js';
import { appendVersion } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { inBulkTransaction, type Transaction } from '../../core/database/transactions.js';
import type { DateRange } from '../../core/domain/periods.js';
import { type OnProgress, recompute } from './recompute.js';

/**
 * Blends a window of days again, with its weeks and months, inside the caller's transaction. Returns the data version
 * that the change makes, undefined if no blend changed. Other writers wait until the transaction ends.
 */
export async function reblend(transaction: Transaction, window: DateRange): Promise<bigint | undefined> {
  await lockData(transaction);
  const changed = await recompute(transaction, window);
  return changed && appendVersion(transaction, changed, undefined);
}

/**
 * Blends all history again, in one transaction: readers see the old blends until the transaction is committed. Returns
 * the data version, undefined where nothing changed.
 */
export async function rebuild(
  database: Database,
  options: { onProgress?: OnProgress } = {},
): Promise<bigint | undefined> {
  return inBulkTransaction(database, async (transaction) => {
    await lockData(transaction);
    const all = await wholeHistory(transaction);
    const changed = all && (await recompute(transaction, all, options.onProgress));
    return changed && appendVersion(transaction, changed, undefined);
  });
}
