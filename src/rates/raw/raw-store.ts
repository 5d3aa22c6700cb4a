import { LRUCache } from 'lru-cache';
import { createSemaphore } from '../../../core/concurrency/semaphore.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { RawSelection } from '../../../core/database/bulk/read-rates.js';
import type { Database } from '../../../core/database/database.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { inOneView, type Transaction } from '../../../core/database/transactions.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { providers } from '../../../core/domain/providers.js';
import { newestChange, type Snapshot } from '../snapshot/snapshot.js';
import { type BlendedTable, createBlendedTable } from './day-blends.js';
import { type ProviderRates, providerRatesOf } from './provider-rates.js';
import { type RawTable, readRawTable } from './raw-table.js';

/** The database has a newer data version than the snapshot: catch up and start again. */
export class SnapshotOutdated extends Error {
  override readonly name = 'SnapshotOutdated';
}

/**
 * Raw rows at the data version of a snapshot. All methods throw SnapshotOutdated if the database has another version,
 * and errors of the database.
 */
export interface RawStore {
  /** All rates of one provider, cached until it publishes again. */
  ofProvider(snapshot: Snapshot, key: string): Promise<ProviderRates>;
  /** All rows from a day on, with their blends. The newest such table is cached for the data version. */
  since(snapshot: Snapshot, day: number): Promise<BlendedTable>;
  /**
   * Runs reads at the snapshot's version, on one connection. A semaphore limits them, so that connections remain for
   * other reads. Once the signal aborts, nothing more is waited for or read, and its reason is thrown.
   */
  inView<T>(snapshot: Snapshot, work: (view: RawView) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Reads at one version. */
export interface RawView {
  read(selection: RawSelection): Promise<RawTable>;
  /** First and newest day on which any of the providers published, up to a limit; undefined where none did. */
  span(providers: readonly string[], upTo: number): Promise<{ first: number; newest: number } | undefined>;
}

interface Kept {
  /** See Snapshot.version. A reference to the snapshot would keep all its columns in memory. */
  version: string;
  rates: ProviderRates;
}

const LONG_READS = 4;
const KEPT_BYTES = 40 * 1024 * 1024;

export function openRawStore(database: Database): RawStore {
  const byProvider = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ rates }) => rates.size,
  });
  let recent: { version: string; from: number; rows: BlendedTable } | undefined;
  const singleFlight = createSingleFlight<RawTable>();
  const providersInFlight = createSingleFlight<ProviderRates>();
  const semaphore = createSemaphore({ permits: LONG_READS });

  function look<T>(
    snapshot: Snapshot,
    work: (view: RawView) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return inOneView(database, async (view) => {
      await checkVersion(view, snapshot);
      return work({
        read(selection) {
          signal?.throwIfAborted();
          return readRawTable(view, selection);
        },
        span: (providers, upTo) => readSpan(view, providers, upTo),
      });
    });
  }

  /** Concurrent requests for the same table share one read. */
  function once(snapshot: Snapshot, name: string, selection: RawSelection): Promise<RawTable> {
    return singleFlight(`${snapshot.version} ${name}`, () => look(snapshot, (view) => view.read(selection)));
  }

  return {
    inView: (snapshot, work, signal) => semaphore(() => look(snapshot, work, signal), signal),
    async ofProvider(snapshot, key) {
      const kept = byProvider.get(key);
      if (kept && isUnchanged(kept.version, snapshot, key)) {
        kept.version = snapshot.version;
        return kept.rates;
      }
      return providersInFlight(`${snapshot.version} ${key}`, async () => {
        const table = await look(snapshot, (view) => view.read({ providers: [key] }));
        const rates = providerRatesOf(table, pivotOf(key));
        byProvider.set(key, { version: snapshot.version, rates });
        return rates;
      });
    },
    async since(snapshot, day) {
      if (recent?.version === snapshot.version && recent.from <= day) return recent.rows;
      const table = await once(snapshot, `since ${day}`, { from: day });
      // The first of the requests that shared the read has stored the table.
      if (recent?.rows.table !== table) {
        recent = { version: snapshot.version, from: day, rows: createBlendedTable(table) };
      }
      return recent.rows;
    },
  };
}

function pivotOf(key: string): string | null {
  return providers.find((provider) => provider.key === key)?.pivot_currency ?? null;
}

/** Whether a provider is known to be unchanged from a version to that of the snapshot. */
function isUnchanged(version: string, snapshot: Snapshot, key: string): boolean {
  if (version === snapshot.version) return true;
  const start = snapshot.changes.findIndex(({ name }) => name === version);
  if (start < 0) return false;
  return snapshot.changes.slice(start + 1).every(({ provider }) => provider !== null && provider !== key);
}

async function checkVersion(view: Transaction, snapshot: Snapshot): Promise<void> {
  const newest = await newestChange(view);
  if ((newest?.name ?? '0') !== snapshot.version)
    throw new SnapshotOutdated('the data has changed meanwhile');
}

async function readSpan(
  view: Transaction,
  providers: readonly string[],
  upTo: number,
): Promise<{ first: number; newest: number } | undefined> {
  const span = await spanOfRates(view, providers, fromDayNumber(upTo));
  return span && { first: dayNumber(span.from), newest: dayNumber(span.to) };
}
