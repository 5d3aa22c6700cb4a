import { LRUCache } from 'lru-cache';
import type { DaysOf } from '../../../core/columns/columns.js';
import type { DayWindow } from '../../../core/domain/dates.js';
import type { Side } from '../../../core/domain/sides.js';
import { lastChangeOfProvider } from '../snapshot/last-changes.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type ProviderRates, unpackProviderRates } from './provider-rates.js';
import { type Shares, unpackShares } from './shares.js';

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

/** A value that a thread has made from raw rows, as plain data for another thread to cache as well. */
export interface KeptMessage {
  kind: 'providers' | 'shares' | 'pasts';
  name: string;
  packed: unknown;
}

/** Caches data derived from raw rows by name. Calls `share` with what is kept here and may be useful elsewhere. */
export function openKeptRates(share: (message: KeptMessage) => void = () => {}) {
  function cacheOf<Value extends object, Packed>(
    kind: KeptMessage['kind'],
    values: LRUCache<string, Value>,
    pack: (value: Value) => Packed,
    unpack: (packed: Packed) => Value,
  ) {
    return {
      get: (name: string): Value | undefined => values.get(name),
      keep(name: string, value: Value, isShared = true): void {
        values.set(name, value);
        if (isShared) share({ kind, name, packed: pack(value) });
      },
      /** Caches what another thread has shared. */
      take: (name: string, packed: unknown): void => void values.set(name, unpack(packed as Packed)),
    };
  }
  const asItIs = (past: KnownPast) => past;
  const providers = new LRUCache<string, ProviderRates>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ size }) => size,
  });
  // A reference to the snapshot, in place of its version, would keep all its columns in memory.
  const shares = new LRUCache<string, Shares>({ max: 1 });
  const pasts = new LRUCache<string, KnownPast>({
    maxSize: PAST_BYTES,
    sizeCalculation: ({ block }) => EMPTY_BYTES + (block ? block.columns.rates.byteLength : 0),
  });
  return {
    /** All rates of one provider, or one side of them, by `nameOfRates`. */
    providers: cacheOf('providers', providers, ({ packed }) => packed, unpackProviderRates),
    /** The shares of the blends behind the newest rates, by data version and newest day. */
    shares: cacheOf('shares', shares, ({ packed }) => packed, unpackShares),
    /** What is known of past versions, by `nameOfPast`. Columns are in shared memory, which a message does not copy. */
    pasts: cacheOf('pasts', pasts, asItIs, asItIs),
  };
}

/** Names what is known of a past version by all that it depends on: the version and a day, or another version. */
export function nameOfPast(kind: keyof KnownPast, version: string, of: number | string): string {
  return `${kind} ${version} ${of}`;
}

/** Names rates by the last change of their provider, until which they stay the same, now as in the past. */
export function nameOfRates({ version, past, lastChanges }: Snapshot, key: string, side?: Side): string {
  const present = lastChanges ? lastChangeOfProvider(lastChanges, key) : version;
  return [key, side, past ? past.lastChangeOf(key) : present].join(' ');
}
