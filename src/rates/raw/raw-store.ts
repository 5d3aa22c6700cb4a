import { LRUCache } from 'lru-cache';
import { createSemaphore } from '../../../core/concurrency/semaphore.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { RawSelection } from '../../../core/database/bulk/read-rates.js';
import type { Database } from '../../../core/database/database.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { type BulkTransaction, inOneView } from '../../../core/database/transactions.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { newestChange, type Snapshot } from '../snapshot/snapshot.js';
import { type BlendedTable, createBlendedTable } from './day-blends.js';
import { type RawTable, readRawTable, sizeOf } from './raw-table.js';

/** The database has moved on from the snapshot: catch up and begin again. */
export class SnapshotOutdated extends Error {
  override readonly name = 'SnapshotOutdated';
}

/**
 * Raw rows at the data version of a snapshot. Everything throws SnapshotOutdated where the database is at
 * another version, and what the database throws where it can't be reached.
 */
export interface RawStore {
  /** All that one provider ever published. Kept until that provider publishes anew. */
  ofProvider(snapshot: Snapshot, key: string): Promise<RawTable>;
  /** All rows from a day on, with their blends. The newest such table is kept for the version. */
  since(snapshot: Snapshot, day: number): Promise<BlendedTable>;
  /**
   * Runs reads that all see the snapshot's version, on one connection that is kept until they are done. A few run
   * at a time, so that there are connections left for all else.
   */
  inView<T>(snapshot: Snapshot, work: (view: RawView) => Promise<T>): Promise<T>;
}

/** Reads at one version. */
export interface RawView {
  read(selection: RawSelection): Promise<RawTable>;
  /** First and newest day on which any of the providers published, up to a limit; undefined where none did. */
  span(providers: readonly string[], upTo: number): Promise<{ first: number; newest: number } | undefined>;
}

interface Kept {
  /** See Snapshot.version; not the snapshot itself, which would live on with all its columns. */
  version: string;
  table: RawTable;
}

const LONG_READS = 4;
const KEPT_BYTES = 40 * 1024 * 1024;

export function openRawStore(database: Database): RawStore {
  const byProvider = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ table }) => sizeOf(table),
  });
  let recent: { version: string; from: number; rows: BlendedTable } | undefined;
  const singleFlight = createSingleFlight<RawTable>();
  const semaphore = createSemaphore({ permits: LONG_READS });

  function look<T>(snapshot: Snapshot, work: (view: RawView) => Promise<T>): Promise<T> {
    return inOneView(database, async (view) => {
      await checkVersion(view, snapshot);
      return work({
        read: (selection) => readRawTable(view, selection),
        span: (providers, upTo) => readSpan(view, providers, upTo),
      });
    });
  }

  /** Many may ask for the same at once: one reads. */
  function once(snapshot: Snapshot, name: string, selection: RawSelection): Promise<RawTable> {
    return singleFlight(`${snapshot.version} ${name}`, () => look(snapshot, (view) => view.read(selection)));
  }

  return {
    inView: (snapshot, work) => semaphore(() => look(snapshot, work)),
    async ofProvider(snapshot, key) {
      const kept = byProvider.get(key);
      if (kept && isUnchanged(kept.version, snapshot, key)) {
        kept.version = snapshot.version;
        return kept.table;
      }
      const table = await once(snapshot, key, { providers: [key] });
      byProvider.set(key, { version: snapshot.version, table });
      return table;
    },
    async since(snapshot, day) {
      if (recent?.version === snapshot.version && recent.from <= day) return recent.rows;
      const table = await once(snapshot, `since ${day}`, { from: day });
      // Of several who waited for the same table, the first has put it here.
      if (recent?.rows.table !== table) {
        recent = { version: snapshot.version, from: day, rows: createBlendedTable(table) };
      }
      return recent.rows;
    },
  };
}

/** Whether nothing of a provider changed from a version to that of the snapshot, as far as that is known. */
function isUnchanged(version: string, snapshot: Snapshot, key: string): boolean {
  if (version === snapshot.version) return true;
  const start = snapshot.changes.findIndex(({ name }) => name === version);
  if (start < 0) return false;
  return snapshot.changes.slice(start + 1).every(({ provider }) => provider !== null && provider !== key);
}

async function checkVersion(view: BulkTransaction, snapshot: Snapshot): Promise<void> {
  const newest = await newestChange(view);
  if ((newest?.name ?? '0') !== snapshot.version)
    throw new SnapshotOutdated('the data has changed meanwhile');
}

async function readSpan(
  view: BulkTransaction,
  providers: readonly string[],
  upTo: number,
): Promise<{ first: number; newest: number } | undefined> {
  const span = await spanOfRates(view, providers, fromDayNumber(upTo));
  return span && { first: dayNumber(span.from), newest: dayNumber(span.to) };
}
