import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Database } from '../../core/database/database.js';
import { holdRun } from '../../core/database/ingest-runs.js';
import { lockData } from '../../core/database/locks.js';
import { type RecordingRun, type StoredRates, storeRates } from '../../core/database/store-rates.js';
import { inTransaction, type PrismaTransaction, type Transaction } from '../../core/database/transactions.js';
import { type Blended, blendChanged } from '../blend/blend-changed.js';
import { renewBlends } from '../blend/reblend.js';
import type { RateRow } from '../feeds/feed.js';

/**
 * Stores valid rows and blends the days that they affect, inside the caller's transaction. The version is undefined if every row
 * was already known. Throws if the run is over: see `holdRun`.
 */
export async function storeAndBlend(
  transaction: Transaction,
  provider: string,
  rows: readonly RateRow[],
  run?: RecordingRun,
): Promise<StoredRates & Blended> {
  await lockData(transaction);
  if (run) await holdRun(transaction, run.id, provider);
  const stored = await storeRates(transaction, [rows.map((row) => ({ ...row, provider }))], run);
  const blended = await blendChanged(transaction, { dates: stored.changedDates, providers: [provider] });
  return { ...stored, ...blended };
}

export type Store = ReturnType<typeof storeAlone>;

/** Stores providers' rows one after the other, so that waiting ones hold none of the few connections. */
export function storeAlone(database: Database) {
  const turns = createSemaphore({ permits: 1 });
  /** Stores valid rows, blends what they affect, and runs `alongside`, in one transaction. No version if all were known. */
  return (
    provider: string,
    rows: readonly RateRow[],
    run: RecordingRun,
    alongside: (transaction: PrismaTransaction, stored: StoredRates) => Promise<void>,
  ) =>
    turns.run(async () => {
      await renewBlends(database);
      return inTransaction(database, async (transaction) => {
        const stored = await storeAndBlend(transaction, provider, rows, run);
        await alongside(transaction, stored);
        return stored;
      });
    });
}
