import { wholeHistory } from '../../core/database/blended-rates.js';
import { type HistoryRow, storeHistory } from '../../core/database/bulk/store-history.js';
import { cover, extendCoverage, type GrowingCoverage } from '../../core/database/coverage.js';
import { newestVersion } from '../../core/database/data-versions.js';
import { ensureProviders } from '../../core/database/providers.js';
import { hasRates } from '../../core/database/rates.js';
import type { Transaction } from '../../core/database/transactions.js';
import { blendWindows } from '../blend/blend-windows.js';
import { withoutExcepted } from './csv.js';
import { CsvError } from './csv-error.js';
import type { ImportOptions, ImportResult } from './import-result.js';

/**
 * Fills an empty database with everything that another one recorded: rates, revisions, suspects, and when each was recorded.
 * Both then return the same responses, also with `as_of`. Throws a CsvError if there are rates already, because they were
 * recorded at other instants. The caller holds the data lock.
 */
export async function importHistory(
  transaction: Transaction,
  batches: AsyncIterable<HistoryRow[]>,
  { onProgress = () => {} }: ImportOptions,
): Promise<ImportResult> {
  if (await hasRates(transaction))
    throw new CsvError('a file with recorded_at can only fill an empty database');
  const coverage: GrowingCoverage = new Map();
  const rowsDropped: Record<string, number> = {};
  async function* covered(): AsyncGenerator<HistoryRow[]> {
    let read = 0;
    for await (const rows of batches) {
      const kept = withoutExcepted(rows, rowsDropped);
      for (const row of kept) cover(coverage, row.provider, row);
      yield kept;
      read += rows.length;
      onProgress({ step: 'reading', rows: read });
    }
  }
  const { rates, revisions } = await storeHistory(transaction, covered());
  onProgress({ step: 'storing' });
  await ensureProviders(transaction, [...coverage.keys()]);
  await extendCoverage(transaction, coverage);
  const whole = await wholeHistory(transaction);
  const blending = (done: number, total: number) => onProgress({ step: 'blending', done, total });
  const newest = await newestVersion(transaction);
  if (whole) await blendWindows(transaction, [whole], { onProgress: blending });
  return {
    rowsNew: rates,
    rowsCorrected: revisions,
    rowsUnchanged: 0,
    rowsDropped,
    rowsHeldBack: 0,
    version: newest?.version,
  };
}
