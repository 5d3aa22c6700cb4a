import { eachFigure, type ReadFigures } from '../../core/database/bulk/published-figures.js';
import type { Database } from '../../core/database/database.js';
import { type ReadRevisions, readRevisions } from '../../core/database/revisions.js';
import { type ReadSuspects, readSuspects } from '../../core/database/suspects.js';
import { inOneView } from '../../core/database/transactions.js';
import { PastBlends } from '../rates/history/past-snapshots.js';
import { openVersions } from '../rates/history/versions.js';
import type { ReceiptContext } from '../rates/receipts/make-receipt.js';
import { createReceipts } from '../rates/receipts/receipts.js';
import type { KeptRates } from '../rates/sources/kept-rates.js';
import { openRawStore } from '../rates/sources/raw-store.js';

export interface MakerContext extends ReceiptContext {
  readFigures: ReadFigures;
  readRevisions: ReadRevisions;
  readSuspects: ReadSuspects;
}

/** A database that does not respond for this long counts as unreachable. */
const SILENCE_MS = 10_000;

export type DatabaseContext = Omit<MakerContext, 'snapshot' | 'signal' | 'clock'>;

export function openDatabaseContext(database: Database, kept: KeptRates): DatabaseContext {
  const raw = openRawStore(database, kept);
  return {
    raw,
    versions: openVersions(database, kept),
    pastSnapshots: new PastBlends(raw, kept),
    receipts: createReceipts({ raw, database }),
    readFigures: (selection, figure) =>
      inOneView(database, (view) => eachFigure(view, selection, figure), { silenceMs: SILENCE_MS }),
    readRevisions: (filter, limit) => readRevisions(database, filter, limit),
    readSuspects: (filter, limit) => readSuspects(database, filter, limit),
  };
}
