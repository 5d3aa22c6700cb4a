import { columnsOf } from '../columns/columns.js';
import { digestOf } from '../columns/digest.js';
import { blendedPeriods } from '../columns/means.js';
import { readBlendedSeries } from './bulk/read-series.js';
import { newestVersion } from './data-versions.js';
import type { Database } from './database.js';
import { inOneView, type Transaction } from './transactions.js';

/** The digests at the newest data version (0 if none), in one view. */
export async function digestBlends(database: Database) {
  return inOneView(database, async (view) => {
    const version = (await newestVersion(view))?.version ?? 0n;
    return { version, periods: await readDigests(view) };
  });
}

/** The digests of the blended days, and of the means of weeks and months. */
export async function readDigests(transaction: Transaction) {
  const digests = digestOf(blendedPeriods(columnsOf(await readBlendedSeries(transaction))));
  return (['day', 'week', 'month'] as const).map((period) => ({ period, ...digests[period] }));
}
