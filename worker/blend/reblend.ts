import { wholeHistory } from '../../core/database/blended-rates.js';
import { appendVersion } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { inBulkTransaction, type Transaction } from '../../core/database/transactions.js';
import { earlier, fromDayNumber, later } from '../../core/domain/dates.js';
import type { DateRange } from '../../core/domain/periods.js';
import { providers } from '../../core/domain/providers.js';
import { blendWindows } from './blend-windows.js';
import type { OnProgress, Recomputed } from './recompute.js';

/**
 * Judges all rates of a window of days again and blends them, with its weeks and months, inside the caller's
 * transaction. Returns the data version. There is a new one also where no blend changed: a decision on a suspect changes
 * what is shown of its provider, and of the sources of a blend. Other writers wait until the transaction ends.
 */
export async function reblend(transaction: Transaction, window: DateRange): Promise<bigint> {
  await lockData(transaction);
  const changed = rangeOf(await blendWindows(transaction, [window], { judged: ALL })) ?? window;
  const range = { from: earlier(changed.from, window.from), to: later(changed.to, window.to) };
  return appendVersion(transaction, range, undefined);
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
    const changed = rangeOf(await blendWindows(transaction, [all], { judged: ALL, onProgress }));
    return changed && appendVersion(transaction, changed, undefined);
  });
}

const ALL = providers.map(({ key }) => key);

/** The days that changed, also where that is only which rates are suspect. */
function rangeOf({ changed, suspects }: Recomputed): DateRange | undefined {
  let range = changed;
  for (const suspect of suspects) {
    const date = fromDayNumber(suspect.day);
    range = range ? { from: earlier(range.from, date), to: later(range.to, date) } : { from: date, to: date };
  }
  return range;
}
