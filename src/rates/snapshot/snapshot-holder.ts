import type { Database } from '../../../core/database/database.js';
import { inTurn } from '../../../core/database/locks.js';
import { inOneView } from '../../../core/database/transactions.js';
import {
  openRefreshingHolder,
  type RefreshingHolder,
  type RefreshOptions,
} from '../../cache/refreshing-holder.js';
import {
  loadSnapshot,
  type PackedSnapshot,
  packSnapshot,
  refreshSnapshot,
  unpackSnapshot,
  type WholeSnapshot,
} from './snapshot.js';

/** Keeps the newest snapshot of the rates, also while the database can't be reached. */
export type SnapshotHolder = Omit<RefreshingHolder<WholeSnapshot>, 'tried' | 'fallBack'>;

export interface SnapshotHolderOptions extends RefreshOptions {
  database: Database;
  /** Whether the first rates of an empty database are on their way, so that no snapshot is better than an empty one. */
  expectsFirstRates?: boolean;
}

const POLL_MS = 15_000;
const RETRY_MS = 500;

/** Starts reading at once, and reads again at announcements and by polling until closed. */
export function openSnapshotHolder({
  database,
  expectsFirstRates = false,
  ...options
}: SnapshotHolderOptions): RefreshingHolder<WholeSnapshot> {
  const isComplete = ({ dataVersion }: WholeSnapshot) => dataVersion > 0n || !expectsFirstRates;
  return openRefreshingHolder({
    what: 'rates',
    pollMs: POLL_MS,
    retryMs: RETRY_MS,
    ...options,
    isComplete,
    pack: packSnapshot,
    unpack: (kept) => unpackSnapshot(kept as PackedSnapshot),
    async read(current: WholeSnapshot | undefined) {
      const started = performance.now();
      const snapshot = current
        ? await inOneView(database, (view) => refreshSnapshot(view, current))
        : await inTurn(database, () => inOneView(database, loadSnapshot));
      if (snapshot !== current && isComplete(snapshot)) {
        const { version, days } = snapshot;
        const ms = Math.round(performance.now() - started);
        options.log.info({ version, days: days.days.length, ms }, 'rates snapshot read');
      }
      return snapshot;
    },
  });
}
