import { LRUCache } from 'lru-cache';
import type { DaysOf } from '../../../core/columns/columns.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import type { Side } from '../../../core/domain/sides.js';
import { lastChangeOfProvider } from '../snapshot/last-changes.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { ProviderRates } from './provider-rates.js';
import type { Shares } from './shares.js';

export type KeptRates = ReturnType<typeof openKeptRates>;

const KEPT_BYTES = 40 * 1024 * 1024;
const PAST_BYTES = 32 * 1024 * 1024;
const EMPTY_BYTES = 500;

/** One thing about a past version. Days are day numbers. */
export interface KnownPast {
  /** The blends of some days. */
  block?: DaysOf | undefined;
  /** The newest day with rates, up to a limit; undefined if there was none. */
  newest?: number | undefined;
  /** The days whose blends have changed until another version, as disjoint windows in order. */
  changed?: readonly DayWindow[];
}

/** Caches data derived from raw rows: one provider's rates until it publishes again, shares for their data version. */
export function openKeptRates() {
  const byName = new LRUCache<string, ProviderRates>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ size }) => size,
  });
  // A reference to the snapshot, in place of its version, would keep all its columns in memory.
  let newest: { version: string; asOf: number; shares: Shares } | undefined;
  const pasts = new LRUCache<string, KnownPast>({
    maxSize: PAST_BYTES,
    sizeCalculation: ({ block }) => EMPTY_BYTES + (block ? block.columns.rates.byteLength : 0),
  });
  return {
    cachedPast: (name: string): KnownPast | undefined => pasts.get(name),
    keepPast: (name: string, past: KnownPast): void => void pasts.set(name, past),
    /** Returns all rates of one provider, or one side, if they are cached. */
    cachedOfProvider: (snapshot: Snapshot, key: string, side?: Side): ProviderRates | undefined =>
      byName.get(nameOfRates(snapshot, key, side)),
    /** Returns the shares of the blends behind the newest rates, if they are cached. `asOf` is the newest day (day number). */
    cachedShares: ({ version }: Snapshot, asOf: number): Shares | undefined =>
      newest?.version === version && newest.asOf === asOf ? newest.shares : undefined,
    /** Rates of the past are kept too, and found again as those of now if nothing changed in between. */
    keepProvider(name: string, rates: ProviderRates, _isPast: boolean): void {
      byName.set(name, rates);
    },
    keepShares(version: string, asOf: number, shares: Shares): void {
      newest = { version, asOf, shares };
    },
  };
}

/** Names what is known of a past version by all that it depends on: the version and a day, or another version. */
export function nameOfPast(kind: keyof KnownPast, { name }: { name: string }, of: number | string): string {
  return `${kind} ${name} ${of}`;
}

/** Names rates by the last change of their provider, until which they stay the same, now as in the past. */
export function nameOfRates({ version, past, lastChanges }: Snapshot, key: string, side?: Side): string {
  const present = lastChanges ? lastChangeOfProvider(lastChanges, key) : version;
  return [key, side, past ? past.lastChangeOf(key) : present].join(' ');
}
