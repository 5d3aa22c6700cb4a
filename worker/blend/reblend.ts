import { wholeHistory } from '../../core/database/blended-rates.js';
import { appendVersion } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { inBulkTransaction, type Transaction } from '../../core/database/transactions.js';
import { type DateRange, union } from '../../core/domain/periods.js';
import { rangeOf } from './blend-changed.js';
import { blendWindows } from './blend-windows.js';
import type { OnProgress } from './recompute.js';

/**
 * Judges all rates of a window of days again and blends them, with its weeks and months, inside the caller's
 * transaction. Returns the data version. There is a new one also where no blend changed: a decision on a suspect changes
 * what is shown of its provider, and of the sources of a blend. Other writers wait until the transaction ends.
 */
export async function reblend(transaction: Transaction, window: DateRange): Promise<bigint> {
  await lockData(transaction);
  const { changed, suspects } = await blendWindows(transaction, [window]);
  return appendVersion(transaction, rangeOf(suspects, union(changed, window)) ?? window, undefined);
}

/**
 * The same for all history, in one transaction: readers see the old blends until the transaction is committed.
 */
export async function rebuild(
  database: Database,
  { onProgress }: { onProgress?: OnProgress } = {},
): Promise<bigint | undefined> {
  return inBulkTransaction(database, async (transaction) => {
    await lockData(transaction);
    const all = await wholeHistory(transaction);
    if (!all) return undefined;
    const { changed, suspects } = await blendWindows(transaction, [all], { onProgress });
    const range = rangeOf(suspects, changed);
    return range && appendVersion(transaction, range, undefined);
  });
}
