import { inSharedMemory } from '../../../core/columns/shared-memory.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { Database } from '../../../core/database/database.js';
import { periodOf, providerOf } from '../../../core/domain/providers.js';
import { OPPOSITE, type Side } from '../../../core/domain/sides.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { blendsOn, windowOfNewest } from './day-blends.js';
import { type KeptRates, openKeptRates } from './kept-rates.js';
import { type ProviderRates, providerRatesOf, providerSideOf } from './provider-rates.js';
import { openRawReads, type Reader } from './raw-reads.js';
import type { RawTable } from './raw-table.js';
import { packShares, type Shares, unpackShares } from './shares.js';

export type RawStore = ReturnType<typeof openRawStore>;

/** Raw rows, and data derived from them. All methods that read throw the errors of `RawReads`. */
export function openRawStore(database: Database, kept: KeptRates = openKeptRates()) {
  const reads = openRawReads(database);
  const { cachedOfProvider, cachedShares } = kept;
  let recent: { version: string; from: number; table: RawTable } | undefined;
  const providerFlight = createSingleFlight<ProviderRates>();
  const tableFlight = createSingleFlight<RawTable>();

  /** All rows from a day on, with their records. The newest such table is cached for the data version. */
  async function since(snapshot: Snapshot, day: number, { signal }: Reader): Promise<RawTable> {
    const { version } = snapshot;
    if (recent?.version === version && recent.from <= day) return recent.table;
    const read = async (abandoned: AbortSignal) => {
      const selection = { from: day, isRecordWanted: true };
      const table = await reads.read(snapshot, selection, { signal: abandoned });
      recent = { version, from: day, table };
      return table;
    };
    return tableFlight(`${version} ${day}`, read, signal);
  }

  /** All rates of one provider, or one side of them, cached until it publishes again. */
  async function ofProvider(snapshot: Snapshot, key: string, { signal }: Reader, side?: Side) {
    const make = async (abandoned: AbortSignal): Promise<ProviderRates> => {
      const read = (one?: Side) =>
        reads.read(snapshot, { providers: [key], side: one }, { signal: abandoned });
      const rates = side
        ? providerSideOf(
            side,
            { table: await read(side), opposite: await read(OPPOSITE[side]) },
            await ofProvider(snapshot, key, { signal: abandoned }),
          )
        : providerRatesOf(await read(), providerOf(key)?.pivot_currency ?? null, periodOf(key));
      kept.keepProvider(snapshot, key, rates);
      return rates;
    };
    const flight = [snapshot.version, key, side].join(' ');
    return cachedOfProvider(snapshot, key, side) ?? providerFlight(flight, make, signal);
  }

  return {
    ...reads,
    cachedOfProvider,
    cachedShares,
    since,
    ofProvider,
    /** The shares behind the newest rates, cached for the data version. `asOf` is the newest day (day number). */
    async newestShares(snapshot: Snapshot, asOf: number, reader: Reader): Promise<Shares> {
      const known = cachedShares(snapshot, asOf);
      if (known) return known;
      const { readFrom, from } = windowOfNewest(asOf);
      const table = await since(snapshot, readFrom, reader);
      const shares =
        cachedShares(snapshot, asOf) ??
        unpackShares(inSharedMemory(packShares(blendsOn(table, { from, to: asOf }))));
      kept.keepShares(snapshot, asOf, shares);
      return shares;
    },
  };
}
