import { digestOf } from '../columns/digest.js';
import { type BlendedPeriods, blendedPeriods } from '../columns/means.js';
import { readBlendedColumns } from './bulk/read-series.js';
import { newestVersion } from './data-versions.js';
import type { Database } from './database.js';
import { inOneView, type Transaction } from './transactions.js';

type PeriodDigest = { period: keyof BlendedPeriods } & ReturnType<typeof digestOf>['day'];

/** The digests at the newest data version (0 if none), in one view. */
export async function digestBlends(
  database: Database,
): Promise<{ version: bigint; periods: PeriodDigest[] }> {
  return inOneView(database, async (view) => {
    const version = (await newestVersion(view))?.version ?? 0n;
    return { version, periods: await readDigests(view) };
  });
}

/** The digests of the blended days, and of the means of weeks and months. */
export async function readDigests(transaction: Transaction): Promise<PeriodDigest[]> {
  const { day, week, month } = digestOf(blendedPeriods(await readBlendedColumns(transaction)));
  return [
    { period: 'day', ...day },
    { period: 'week', ...week },
    { period: 'month', ...month },
  ];
}
