import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { notifyParent } from '../../core/process/lifecycle.js';
import type { Announcements } from '../../core/queues/announcements.js';
import { loadShippedRates, readShippedRates } from './shipped-rates.js';

interface FirstRates {
  database: Database;
  /** Whether to fill an empty database, or only to continue. */
  begins: boolean;
  /** The shipped rates, if they are already read. */
  shipped?: ReturnType<typeof readShippedRates> | undefined;
  announcements: Pick<Announcements, 'publish'>;
  log: Logger;
}

/**
 * Loads the shipped rates, or those that are left. Announces the first part, which is the newest year, and the end, but no
 * decade between, as APIs copy all their days when they refresh.
 */
export async function loadFirstRates(first: FirstRates): Promise<void> {
  const { database, begins, announcements, log } = first;
  const shipped = () => first.shipped ?? readShippedRates();
  let newest: bigint | undefined;
  for await (const part of loadShippedRates(database, { begins, shipped })) {
    const isFirst = newest === undefined;
    newest = part.version ?? newest;
    if (newest !== undefined && (isFirst || part.isLast)) await announcements.publish(newest);
    notifyParent({ type: 'progress', what: 'rates', ...part.days, ms: part.ms });
    log.info({ from: part.from, rows: part.rowsNew, ms: part.ms }, 'loaded shipped rates');
  }
}
