import { inSharedMemory } from '../../../core/columns/shared-memory.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { Database } from '../../../core/database/database.js';
import { periodOf, providerOf } from '../../../core/domain/providers.js';
import type { Side } from '../../../core/domain/sides.js';
import { lastChangeOfProvider } from '../snapshot/last-changes.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.js';
import { blendsOn, windowOfNewest } from './day-blends.js';
import { type KeptRates, openKeptRates } from './kept-rates.js';
import { type ProviderRates, providerRatesOf, providerSidesOf } from './provider-rates.js';
import { openProviderStore } from './provider-store.js';
import { openRawReads, type RawReads, type Reader } from './raw-reads.js';
import type { RawTable } from './raw-table.js';
import { type Shares, sharesIn } from './shares.js';

export type RawStore = ReturnType<typeof openRawStore>;

/** Reads all rows from a day on, with their records. The newest such table is cached for the data version. */
function openRecentRows({ read }: RawReads) {
  let recent: { version: string; from: number; table: RawTable } | undefined;
  const singleFlight = createSingleFlight<RawTable>();
  return async (snapshot: Snapshot, from: number, { signal }: Reader): Promise<RawTable> => {
    const { version } = snapshot;
    if (recent?.version === version && recent.from <= from) return recent.table;
    const readAndKeep = async (signal: AbortSignal) => {
      const table = await read(snapshot, { from, isRecordWanted: true }, { signal });
      recent = { version, from, table };
      return table;
    };
    return singleFlight(`${version} ${from}`, readAndKeep, signal);
  };
}

/** Raw rows, and data derived from them. All methods that read throw the errors of `RawReads`. */
export function openRawStore(database: Database, kept: KeptRates = openKeptRates()) {
  const reads = openRawReads(database);
  const since = openRecentRows(reads);
  const nameOfShares = ({ version }: Snapshot, asOf: number) => `${version} ${asOf}`;

  const providers = openProviderStore(kept, {
    nameOf: lastChangeOfProvider,
    async read(snapshot, key, side, reader): Promise<ProviderRates[]> {
      const read = (side?: Side) => reads.read(snapshot, { providers: [key], side }, reader);
      if (!side)
        return [providerRatesOf(await read(), providerOf(key)?.pivot_currency ?? null, periodOf(key))];
      // Each side has the inverses of the other.
      const tables = { buy: await read('buy'), sell: await read('sell') };
      return providerSidesOf(tables, await providers.ofProvider(snapshot, key, reader));
    },
  });

  return {
    ...reads,
    ...providers,
    since,
    /** Returns the shares of the blends behind the newest rates, if they are cached. `asOf` is the newest day (day number). */
    cachedShares: (snapshot: Snapshot, asOf: number): Shares | undefined =>
      kept.shares.get(nameOfShares(snapshot, asOf)),
    /** The shares behind the newest rates, cached for the data version. `asOf` is the newest day (day number). */
    async newestShares(snapshot: Snapshot, asOf: number, reader: Reader): Promise<Shares> {
      const name = nameOfShares(snapshot, asOf);
      const cached = kept.shares.get(name);
      if (cached) return cached;
      const { readFrom, from } = windowOfNewest(asOf);
      const table = await since(snapshot, readFrom, reader);
      const known = kept.shares.get(name);
      if (known) return known;
      const shares = inSharedMemory(sharesIn(blendsOn(table, { from, to: asOf })));
      kept.keep({ name, shares });
      return shares;
    },
  };
}

const TRY_MS = 1_000;

/** Reads the raw rows of the newest day as a request would. Throws if that fails, or takes longer than a second. */
export async function tryRawRows(
  raw: Pick<RawStore, 'read'>,
  holder: Pick<SnapshotHolder, 'current'>,
): Promise<void> {
  const snapshot = holder.current();
  if (!snapshot) throw new Error('no rates are loaded');
  const day = snapshot.days.days.at(-1) ?? 0;
  await raw.read(snapshot, { from: day, to: day }, { signal: AbortSignal.timeout(TRY_MS) });
}
