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
 * Returns a function that loads the shipped rates: the newest year, or all that is left. Announces the newest year and the end,
 * but no decade between, as APIs copy all their days when they refresh, and requests wait meanwhile.
 */
export function createLoadFirstRates({ database, begins, shipped: given, announcements, log }: FirstRates) {
  let shipped = given;
  return async (which: 'newest' | 'all'): Promise<void> => {
    let newest: bigint | undefined;
    const read = () => shipped ?? readShippedRates();
    for await (const part of loadShippedRates(database, { begins, shipped: read })) {
      newest = part.version ?? newest;
      if (newest !== undefined && (which === 'newest' || part.isLast)) await announcements.publish(newest);
      notifyParent({ type: 'progress', what: 'rates', ...part.days, ms: part.ms });
      log.info({ from: part.from, rows: part.rowsNew, ms: part.ms }, 'loaded shipped rates');
      if (which === 'newest') return;
    }
    shipped = undefined; // It takes some megabytes.
  };
}
