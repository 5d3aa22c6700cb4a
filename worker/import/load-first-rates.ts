import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { notifyParent } from '../../core/process/lifecycle.js';
import type { Announcements } from '../../core/queues/announcements.js';
import { loadShippedRates } from './shipped-rates.js';

interface LoadOptions {
  announcements: Pick<Announcements, 'publish'>;
  log: Logger;
}

/**
 * Loads the shipped rates, and announces the newest year and the end. APIs copy all their days when they refresh, and requests
 * wait meanwhile: they read the decades between at the end, or when they poll.
 */
export async function loadFirstRates(
  database: Database,
  { announcements, log, ...shipped }: LoadOptions & Parameters<typeof loadShippedRates>[1],
): Promise<void> {
  let newest: bigint | undefined;
  let isAnnounced = false;
  for await (const part of loadShippedRates(database, shipped)) {
    newest = part.version ?? newest;
    if (newest !== undefined && (!isAnnounced || part.isLast)) {
      await announcements.publish(newest);
      isAnnounced = true;
    }
    notifyParent({ type: 'progress', what: 'rates', ...part.days, ms: part.ms });
    log.info({ from: part.from, rows: part.rowsNew, ms: part.ms }, 'loaded shipped rates');
  }
}
