import { inSharedMemory } from '../../../core/columns/shared-memory.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { Database } from '../../../core/database/database.js';
import { periodOf, providerOf } from '../../../core/domain/providers.js';
import type { Side } from '../../../core/domain/sides.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.js';
import { blendsOn, windowOfNewest } from './day-blends.js';
import { type KeptRates, nameOfRates, openKeptRates } from './kept-rates.js';
import { type ProviderRates, providerRatesOf, providerSidesOf } from './provider-rates.js';
import { openRawReads, type Reader } from './raw-reads.js';
import type { RawTable } from './raw-table.js';
import { packShares, type Shares, unpackShares } from './shares.js';

export type RawStore = ReturnType<typeof openRawStore>;

/** Raw rows, and data derived from them. All methods that read throw the errors of `RawReads`. */
export function openRawStore(database: Database, kept: KeptRates = openKeptRates()) {
  const reads = openRawReads(database);
  let recent: { version: string; from: number; table: RawTable } | undefined;
  const providerFlight = createSingleFlight<ProviderRates[]>();
  const tableFlight = createSingleFlight<RawTable>();
  const nameOfShares = ({ version }: Snapshot, asOf: number) => `${version} ${asOf}`;
  const cachedOfProvider = (snapshot: Snapshot, key: string, side?: Side) =>
    kept.providers.get(nameOfRates(snapshot, key, side));

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
  async function ofProvider(snapshot: Snapshot, key: string, reader: Reader, side?: Side) {
    const cached = cachedOfProvider(snapshot, key, side);
    if (cached) return cached;
    const make = async (signal: AbortSignal): Promise<ProviderRates[]> => {
      const made = await (side ? readSides : readRates)(snapshot, key, { signal });
      // Rates of many past instants would fill the cache of another thread.
      const isShared = snapshot.past === undefined;
      for (const rates of made)
        kept.providers.keep(nameOfRates(snapshot, key, rates.packed.side), rates, isShared);
      return made;
    };
    const flight = [snapshot.version, key, side && 'sides'].join(' ');
    const made = await providerFlight(flight, make, reader.signal);
    return made.find(({ packed }) => packed.side === side) as ProviderRates;
  }

  async function readRates(snapshot: Snapshot, key: string, reader: Reader): Promise<ProviderRates[]> {
    const table = await reads.read(snapshot, { providers: [key] }, reader);
    return [providerRatesOf(table, providerOf(key)?.pivot_currency ?? null, periodOf(key))];
  }

  /** Reads both sides, as each has the inverses of the other. */
  async function readSides(snapshot: Snapshot, key: string, reader: Reader): Promise<ProviderRates[]> {
    const read = (side: Side) => reads.read(snapshot, { providers: [key], side }, reader);
    const tables = { buy: await read('buy'), sell: await read('sell') };
    return providerSidesOf(tables, await ofProvider(snapshot, key, reader));
  }

  return {
    ...reads,
    /** Returns all rates of one provider, or one side, if they are cached. */
    cachedOfProvider,
    /** Returns the shares of the blends behind the newest rates, if they are cached. `asOf` is the newest day (day number). */
    cachedShares: (snapshot: Snapshot, asOf: number): Shares | undefined =>
      kept.shares.get(nameOfShares(snapshot, asOf)),
    since,
    ofProvider,
    /** The shares behind the newest rates, cached for the data version. `asOf` is the newest day (day number). */
    async newestShares(snapshot: Snapshot, asOf: number, reader: Reader): Promise<Shares> {
      const name = nameOfShares(snapshot, asOf);
      const known = kept.shares.get(name);
      if (known) return known;
      const { readFrom, from } = windowOfNewest(asOf);
      const table = await since(snapshot, readFrom, reader);
      const shares =
        kept.shares.get(name) ??
        unpackShares(inSharedMemory(packShares(blendsOn(table, { from, to: asOf }))));
      kept.shares.keep(name, shares);
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
