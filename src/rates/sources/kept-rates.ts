import { LRUCache } from 'lru-cache';
import type { Side } from '../../../core/domain/sides.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { ProviderRates } from './provider-rates.js';
import type { Shares } from './shares.js';

export type KeptRates = ReturnType<typeof openKeptRates>;

type Version = Pick<Snapshot, 'version' | 'past'>;

const KEPT_BYTES = 40 * 1024 * 1024;

/** Caches data derived from raw rows: one provider's rates until it publishes again, shares for their data version. */
export function openKeptRates() {
  // A reference to the snapshot, in place of its version, would keep all its columns in memory.
  const byProvider = new LRUCache<string, { version: string; rates: ProviderRates }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ rates }) => rates.size,
  });
  let newest: { version: string; asOf: number; shares: Shares } | undefined;
  return {
    /** Returns all rates of one provider, or one side, if they are cached and still those of the snapshot. */
    cachedOfProvider(snapshot: Snapshot, key: string, side?: Side): ProviderRates | undefined {
      const kept = byProvider.get(nameOf(snapshot, key, side));
      if (!kept || (!snapshot.past && !isUnchanged(kept.version, snapshot, key))) return undefined;
      if (!snapshot.past) kept.version = snapshot.version;
      return kept.rates;
    },
    /** Returns the shares of the blends behind the newest rates, if they are cached. `asOf` is the newest day (day number). */
    cachedShares: ({ version }: Snapshot, asOf: number): Shares | undefined =>
      newest?.version === version && newest.asOf === asOf ? newest.shares : undefined,
    keepProvider(snapshot: Version, key: string, rates: ProviderRates): void {
      byProvider.set(nameOf(snapshot, key, rates.packed.side), { version: snapshot.version, rates });
    },
    keepShares({ version }: Version, asOf: number, shares: Shares): void {
      newest = { version, asOf, shares };
    },
  };
}

/** Past rates of a provider stay the same until its next change. */
function nameOf({ past }: Version, key: string, side: Side | undefined): string {
  const name = side ? `${key} ${side}` : key;
  return past ? `${name} ${past.lastChangeOf(key)}` : name;
}

function isUnchanged(version: string, snapshot: Snapshot, key: string): boolean {
  if (version === snapshot.version) return true;
  const start = snapshot.changes.findIndex(({ name }) => name === version);
  if (start < 0) return false;
  return snapshot.changes.slice(start + 1).every(({ provider }) => provider !== null && provider !== key);
}
