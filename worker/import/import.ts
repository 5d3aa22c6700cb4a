import { storeBatches } from '../../core/database/bulk/store-batches.js';
import { cover, extendCoverage, type GrowingCoverage } from '../../core/database/coverage.js';
import type { Database } from '../../core/database/database.js';
import type { RunCounts } from '../../core/database/ingest-runs.js';
import { lockData } from '../../core/database/locks.js';
import { ensureProviders } from '../../core/database/providers.js';
import { inBulkTransaction, type Transaction } from '../../core/database/transactions.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { isExcepted } from '../../core/domain/providers.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { changePrices, type SidedRow } from '../../core/domain/sides.js';
import type { ShowProgress } from '../../core/process/progress.js';
import { blendChanged } from '../blend/blend-changed.js';
import { renewBlends } from '../blend/reblend.js';
import { validate } from '../feeds/validate.js';
import { readCsv } from './csv.js';

export interface ImportResult extends RunCounts {
  /** The number of suspect rows that are held back from the blend. */
  rowsHeldBack: number;
  /** The new data version; undefined if all rows were stored already. */
  version: bigint | undefined;
}

interface ImportOptions {
  today: CalendarDate;
  /** The steps are `reading`, with the number of rows read, `storing` and `blending`. */
  onProgress?: ShowProgress;
}

/**
 * Imports a CSV file of rates and blends what it changes, in one transaction. Drops and counts invalid rows; of rows with the
 * same key the first counts. Throws a CsvError that names the invalid line.
 */
export async function importRates(
  database: Database,
  csv: AsyncIterable<Uint8Array | string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const batches = readCsv(csv);
  try {
    // A file that can't be opened or has no header fails here, before the transaction takes the data lock.
    await batches.next();
    await renewBlends(database);
    return await inBulkTransaction(database, async (transaction) => {
      await lockData(transaction);
      return importInto(transaction, batches, options);
    });
  } finally {
    await batches.return(undefined);
  }
}

/** In the transaction of the caller, which holds the data lock. May modify the rows. */
async function importInto(
  transaction: Transaction,
  batches: AsyncIterable<SidedRow[]>,
  { today, onProgress = () => {} }: ImportOptions,
): Promise<ImportResult> {
  const coverage: GrowingCoverage = new Map();
  const counts = { kept: 0, dropped: {} as Record<string, number> };
  async function* validBatches(): AsyncGenerator<SidedRow[]> {
    let read = 0;
    for await (const rows of batches) {
      read += rows.length;
      const valid = validRows(rows, today, counts.dropped);
      counts.kept += valid.length;
      for (const row of valid) {
        cover(coverage, row.provider, row);
        Object.assign(row, changePrices(row, roundForStorage));
      }
      yield valid;
      onProgress('reading', read);
    }
  }
  const stored = await storeBatches(transaction, validBatches(), () => onProgress('storing'));
  await ensureProviders(transaction, [...coverage.keys()]);
  await extendCoverage(transaction, coverage);
  const { version, suspects } = await blendChanged(
    transaction,
    { dates: stored.changedDates, providers: [...coverage.keys()] },
    (done, total) => onProgress('blending', done, total),
  );
  return {
    rowsNew: stored.rowsNew,
    rowsCorrected: stored.rowsCorrected,
    rowsUnchanged: counts.kept - stored.rowsNew - stored.rowsCorrected,
    rowsDropped: counts.dropped,
    rowsHeldBack: suspects.filter(({ status }) => status === 'held').length,
    version,
  };
}

/** The valid rows of providers that are not excepted, by provider. Counts the others in `dropped`. */
function validRows(
  rows: readonly SidedRow[],
  today: CalendarDate,
  dropped: Record<string, number>,
): SidedRow[] {
  return [...groupBy(rows, ({ provider }) => provider)].flatMap(([provider, own]) => {
    const valid = isExcepted(provider)
      ? { rows: [], dropped: { excepted: own.length } }
      : validate(own, { today, provider });
    for (const [reason, count] of Object.entries(valid.dropped))
      dropped[reason] = (dropped[reason] ?? 0) + count;
    return valid.rows;
  });
}
