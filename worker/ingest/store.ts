import { createSemaphore } from '../../core/concurrency/semaphore.js';
import { cover, extendCoverage, type GrowingCoverage } from '../../core/database/coverage.js';
import type { Database } from '../../core/database/database.js';
import { holdRun } from '../../core/database/ingest-runs.js';
import { lockData } from '../../core/database/locks.js';
import { ensureProviders } from '../../core/database/providers.js';
import { type RecordingRun, type Upserted, upsertRates } from '../../core/database/rates.js';
import { inTransaction, type PrismaTransaction, type Transaction } from '../../core/database/transactions.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { changePrices } from '../../core/domain/sides.js';
import { type Blended, blendChanged } from '../blend/blend-changed.js';
import { renewBlends } from '../blend/reblend.js';
import type { RateRow } from '../feeds/feed.js';
import { pairAndDay } from '../feeds/reading.js';

export interface StoredRates extends Upserted {
  rowsUnchanged: number;
}

/** Rows sent to the server at a time: some ten megabytes of text. */
const BATCH = 50_000;

/**
 * Upserts valid rows inside the caller's transaction; the old rates of changed ones become revisions. Rates and sides keep
 * twelve digits; of two rows with the same key the first counts. Throws if the run is over: see `holdRun`.
 */
export async function storeRates(
  transaction: Transaction,
  provider: string,
  rows: readonly RateRow[],
  run?: RecordingRun,
): Promise<StoredRates> {
  await lockData(transaction);
  if (run) await holdRun(transaction, run.id, provider);
  await ensureProviders(transaction, [provider]);
  const coverage: GrowingCoverage = new Map();
  const counts = { rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 0 };
  const changed = new Set<CalendarDate>();
  const distinct = [...groupBy(rows, pairAndDay).values()].flatMap(([first]) => first ?? []);
  for (let start = 0; start < distinct.length; start += BATCH) {
    const batch = distinct.slice(start, start + BATCH);
    const rounded = batch.map((row) => ({ ...row, ...changePrices(row, roundForStorage) }));
    const upserted = await upsertRates(transaction, provider, rounded, run);
    counts.rowsNew += upserted.rowsNew;
    counts.rowsCorrected += upserted.rowsCorrected;
    counts.rowsUnchanged += batch.length - upserted.rowsNew - upserted.rowsCorrected;
    for (const date of upserted.changedDates) changed.add(date);
    for (const row of batch) cover(coverage, provider, row);
  }
  if (counts.rowsNew > 0) await extendCoverage(transaction, coverage);
  return { ...counts, changedDates: [...changed].sort() };
}

/** Stores rows and blends the days that they affect. The version is undefined if every row was already known. */
export async function storeAndBlend(
  transaction: Transaction,
  provider: string,
  rows: readonly RateRow[],
  run?: RecordingRun,
): Promise<StoredRates & Blended> {
  const stored = await storeRates(transaction, provider, rows, run);
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
