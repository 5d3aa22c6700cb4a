import { LRUCache } from 'lru-cache';
import { joinColumns, lastUpTo } from '../../../core/columns/columns.js';
import { withAnchors } from '../../../core/domain/pegs.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import { isBlended, providers } from '../../../core/domain/providers.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RawReads, Reader } from '../sources/raw-reads.js';
import { BLOCK_DAYS, PastBlends } from './past-blends.js';
import { type KnownVersion, pastSnapshot } from './versions.js';

export interface WantedDays {
  days: DayWindow;
  currencies?: readonly string[] | undefined;
}

/** The blended rates as known at a past version, blended by the present method. */
export interface PastSnapshots {
  /** Returns the snapshot of a version without any days, for requests that only read raw rows. */
  withoutDays(known: KnownVersion): Snapshot;
  /**
   * Returns the snapshot of a version with the days of a window, if given. With `currencies`, it contains only these and
   * those they are pegged to. Throws the errors of the raw store.
   */
  of(known: KnownVersion, reader: Reader, wanted?: WantedDays): Promise<Snapshot>;
  /** Returns the newest day up to a limit that had blended rates; undefined if none had. */
  newestDay(known: KnownVersion, upTo: number, reader: Reader): Promise<number | undefined>;
}

const BLENDED = providers.map(({ key }) => key).filter(isBlended);

export function openPastSnapshots(raw: Pick<RawReads, 'read' | 'span'>): PastSnapshots {
  const blends = new PastBlends(raw);
  const newestDays = new LRUCache<string, { day: number | undefined }>({ max: 10_000 });

  /** Searches a block of days, and further back if no source published in it. */
  async function findNewestDay(known: KnownVersion, upTo: number, reader: Reader) {
    for (let day = upTo; ; ) {
      const from = Math.floor(day / BLOCK_DAYS) * BLOCK_DAYS;
      const { days } = joinColumns(await blends.partsOf(known, { from, to: day }, reader), []);
      const newest = days[lastUpTo(days, day)];
      if (newest !== undefined) return newest;
      const before = await raw.span(pastSnapshot(known), BLENDED, from - 1, reader);
      if (!before) return undefined;
      day = before.newest;
    }
  }

  return {
    withoutDays: pastSnapshot,
    async of(known, reader, wanted) {
      const snapshot = pastSnapshot(known);
      if (!wanted) return snapshot;
      const parts = await blends.partsOf(known, wanted.days, reader);
      const { currencies } = wanted;
      return { ...snapshot, days: joinColumns(parts, currencies && withAnchors(currencies)) };
    },
    async newestDay(known, upTo, reader) {
      const name = `${known.change.name} ${upTo}`;
      const kept = newestDays.get(name);
      if (kept) return kept.day;
      const day = await findNewestDay(known, upTo, reader);
      newestDays.set(name, { day });
      return day;
    },
  };
}
