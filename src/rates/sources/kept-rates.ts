import { LRUCache } from 'lru-cache';
import type { DaysOf } from '../../../core/columns/columns.js';
import type { DayWindow } from '../../../core/domain/dates.js';
import { type PackedProviderRates, type ProviderRates, unpackProviderRates } from './provider-rates.js';
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

/** Plain data that a thread has made from raw rows, for another thread to cache as well. */
// Columns are in shared memory, which a message does not copy.
export type KeptMessage = { name: string } & (
  | { providers: PackedProviderRates }
  | { shares: Shares }
  | { pasts: KnownPast }
);

/** Caches data derived from raw rows by name. Calls `share` with what is made here and may be useful elsewhere. */
export function openKeptRates(share: (message: KeptMessage) => void = () => {}) {
  /** All rates of one provider, or one side of them. */
  const providers = new LRUCache<string, ProviderRates>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ size }) => size,
  });
  /** The shares of the blends behind the newest rates, by data version and newest day. */
  // A reference to the snapshot, in place of its version, would keep all its columns in memory.
  const shares = new LRUCache<string, Shares>({ max: 1 });
  /** What is known of past versions, by `nameOfPast`. */
  const pasts = new LRUCache<string, KnownPast>({
    maxSize: PAST_BYTES,
    sizeCalculation: ({ block }) => EMPTY_BYTES + (block ? block.columns.rates.byteLength : 0),
  });
  /** Caches what another thread has shared. */
  function take(message: KeptMessage): void {
    if ('providers' in message) providers.set(message.name, unpackProviderRates(message.providers));
    else if ('shares' in message) shares.set(message.name, message.shares);
    else pasts.set(message.name, message.pasts);
  }
  return {
    providers,
    shares,
    pasts,
    take,
    share,
    /** Caches what was made here, and shares it. */
    keep(message: Exclude<KeptMessage, { providers: unknown }>): void {
      take(message);
      share(message);
    },
  };
}

/** Names what is known of a past version by all that it depends on: the version and a day, or another version. */
export function nameOfPast(kind: keyof KnownPast, version: string, of: number | string): string {
  return `${kind} ${version} ${of}`;
}
