import { extendCoverage } from '../../core/database/coverage.js';
import { appendVersion } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { inTransaction } from '../../core/database/transactions.js';

/** Provider, currency, first day, last day. */
export type Published = [provider: string, currency: string, start: string, end: string];

/** Says in the database that providers published currencies, under a new data version. */
export async function publish(database: Database, published: readonly Published[]): Promise<void> {
  const spans = published.map(([provider, currency, from, to]) => {
    return { provider, base: currency, quote: currency, from, to };
  });
  await inTransaction(database, async (transaction) => {
    await extendCoverage(transaction, spans);
    await appendVersion(transaction, { from: '2026-03-18', to: '2026-03-18' }, undefined);
  });
}
