import type { Database } from '../../../core/database/database.js';
import { inTurn } from '../../../core/database/locks.js';
import { inOneView } from '../../../core/database/transactions.js';
import {
  openRefreshingHolder,
  type RefreshingHolder,
  type RefreshOptions,
} from '../../cache/refreshing-holder.js';
import { loadSnapshot, receivedSnapshot, refreshSnapshot, type WholeSnapshot } from './snapshot.js';

/** Holds the newest snapshot of the rates, even while the database is unreachable. */
export type SnapshotHolder = Omit<RefreshingHolder<WholeSnapshot>, 'tried' | 'fallBack'>;

export interface SnapshotHolderOptions extends RefreshOptions {
  database: Database;
  /** Whether an empty database will soon have its first rates, so that no snapshot is better than an empty one. */
  expectsFirstRates?: boolean;
  /** Refreshes many days while requests are served. Default: in place. */
  refreshMany?: (current: WholeSnapshot) => Promise<WholeSnapshot>;
}

const POLL_MS = 15_000;
const RETRY_MS = 500;

/** Starts reading at once, and reads again on announcements and by polling until closed. */
export function openSnapshotHolder({
  database,
  expectsFirstRates = false,
  refreshMany,
  ...options
}: SnapshotHolderOptions): RefreshingHolder<WholeSnapshot> {
  const isComplete = ({ dataVersion }: WholeSnapshot) => dataVersion > 0n || !expectsFirstRates;
  return openRefreshingHolder({
    what: 'rates',
    pollMs: POLL_MS,
    retryMs: RETRY_MS,
    ...options,
    isComplete,
    received: (kept) => receivedSnapshot(kept as WholeSnapshot),
    async read(current: WholeSnapshot | undefined) {
      const started = performance.now();
      const snapshot = current
        ? await inOneView(database, (view) => refreshSnapshot(view, current, refreshMany))
        : await inTurn(database, () => inOneView(database, (view) => loadSnapshot(view)));
      if (snapshot !== current && isComplete(snapshot)) {
        const { version, days } = snapshot;
        const ms = Math.round(performance.now() - started);
        options.log.info({ version, days: days.days.length, ms }, 'rates snapshot read');
      }
      return snapshot;
    },
  });
}
