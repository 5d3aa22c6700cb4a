import { cover, extendCoverage, type GrowingCoverage } from '../../core/database/coverage.js';
import { appendVersion } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { ensureProviders } from '../../core/database/providers.js';
import { inTransaction } from '../../core/database/transactions.js';

/** Provider, currency, first day, last day. */
export type Published = [provider: string, currency: string, start: string, end: string];

/** Says in the database that providers published currencies, under a new data version. */
export async function publish(database: Database, published: readonly Published[]): Promise<void> {
  const coverage: GrowingCoverage = new Map();
  for (const [provider, currency, start, end] of published) {
    for (const date of [start, end]) cover(coverage, provider, { date, base: currency, quote: currency });
  }
  await inTransaction(database, async (transaction) => {
    await ensureProviders(transaction, [...coverage.keys()]);
    await extendCoverage(transaction, coverage);
    await appendVersion(transaction, { from: '2026-03-18', to: '2026-03-18' }, undefined);
  });
}
