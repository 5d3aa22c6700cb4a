import { LRUCache } from 'lru-cache';
import {
  builderOf,
  type Columns,
  columnsOf,
  type DaysOf,
  joinColumns,
  lastUpTo,
  type SeriesBuilder,
} from '../../../core/columns/columns.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import { blendedDay } from '../../../core/domain/blend/blended-day.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { withAnchors } from '../../../core/domain/pegs.js';
import { isBlended, providers } from '../../../core/domain/providers.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { blendsOn } from '../sources/day-blends.js';
import type { RawStore, Reader } from '../sources/raw-store.js';
import type { KnownVersion } from './versions.js';

/** Days that blends are needed of, as day numbers, both ends included. */
interface DayWindow {
  from: number;
  to: number;
}

export interface WantedDays {
  days: DayWindow;
  currencies?: readonly string[] | undefined;
}

/** The blended rates as they were known at a past version, by the present method. */
export interface PastSnapshots {
  /** The snapshot of a version without any days, for requests that only read raw rows. */
  withoutDays(known: KnownVersion): Snapshot;
  /**
   * The snapshot of a version with the days of a window, if any; with `currencies`, only with these and what they are
   * pegged to. Throws as the raw store does.
   */
  of(known: KnownVersion, reader: Reader, wanted?: WantedDays): Promise<Snapshot>;
  /** The newest day up to a limit that had blended rates; undefined where none had. */
  newestDay(known: KnownVersion, upTo: number, reader: Reader): Promise<number | undefined>;
}

/** Blends are computed and kept in blocks of so many days. */
const BLOCK_DAYS = 16;
/** At most so many blocks are read at a time. */
const MOST_BLOCKS = 4;
const KEPT_BYTES = 32 * 1024 * 1024;
const EMPTY_BYTES = 500;

/**
 * A day whose blends have not changed since the version has those of the newest snapshot. The others are blended again,
 * from the rates that were known, without those that were held back then. What was blended is kept.
 */
export function openPastSnapshots(raw: Pick<RawStore, 'read' | 'span'>): PastSnapshots {
  const blocks = new LRUCache<string, Columns>({ maxSize: KEPT_BYTES, sizeCalculation: sizeOf });
  const newestDays = new LRUCache<string, { day: number | undefined }>({ max: 10_000 });
  const singleFlight = createSingleFlight<Columns[]>();

  /** The blends of consecutive blocks of days that changed since. */
  async function blend(known: KnownVersion, spans: readonly DayWindow[], reader: Reader): Promise<Columns[]> {
    const from = spans[0]?.from ?? 0;
    const to = spans.at(-1)?.to ?? from;
    // The blends of the first day are of the newest row of each pair.
    const selection = { from: from - WINDOW_DAYS, to, newestBefore: from };
    const table = await raw.read(pastSnapshot(known), selection, reader);
    const series = spans.map(() => new Map<string, SeriesBuilder>());
    let at = 0;
    for (const { day, blends } of blendsOn(table, { from, to })) {
      while (day > (spans[at]?.to ?? day)) at++;
      const ofSpan = series[at] ?? new Map<string, SeriesBuilder>();
      for (const { quote, rate } of blendedDay(fromDayNumber(day), [...blends.values()]))
        builderOf(ofSpan, quote).append(day, rate);
    }
    return series.map((builders) =>
      columnsOf([...builders].map(([quote, builder]) => [quote, builder.finish()] as const)),
    );
  }

  /** The blends of consecutive blocks; those that are not kept are made, some at a time. */
  async function blendsOf(
    known: KnownVersion,
    spans: readonly DayWindow[],
    reader: Reader,
  ): Promise<Columns[]> {
    const found = spans.map((span) => blocks.get(nameOf(known, span)));
    for (let at = found.indexOf(undefined); at >= 0; at = found.indexOf(undefined, at)) {
      const kept = found.findIndex((columns, index) => index > at && columns !== undefined);
      const missing = spans.slice(at, Math.min(at + MOST_BLOCKS, kept < 0 ? spans.length : kept));
      const names = missing.map((span) => nameOf(known, span));
      const make = (signal: AbortSignal) => blend(known, missing, { signal });
      const made = await singleFlight(names.join(), make, reader.signal);
      for (const [index, columns] of made.entries()) {
        blocks.set(names[index] ?? '', columns);
        found[at + index] = columns;
      }
    }
    return found.flatMap((columns) => columns ?? []);
  }

  /** The days of a window, from the newest snapshot where they have not changed since. */
  async function partsOf(known: KnownVersion, { from, to }: DayWindow, reader: Reader): Promise<DaysOf[]> {
    const { current, changedSince } = known;
    const parts: DaysOf[] = [];
    let next = from;
    for (const changed of changedSince) {
      const start = Math.max(changed.from, next);
      const end = Math.min(changed.to, to);
      if (start > end) continue;
      if (next < start) parts.push({ columns: current.days, from: next, to: start - 1 });
      const spans = blocksBetween(start, end);
      const made = await blendsOf(known, spans, reader);
      spans.forEach((span, index) => {
        const columns = made[index] ?? NO_DAYS;
        parts.push({ columns, from: Math.max(start, span.from), to: Math.min(end, span.to) });
      });
      next = end + 1;
    }
    if (next <= to) parts.push({ columns: current.days, from: next, to });
    return parts;
  }

  /** Looks in a block of days, and further back where the sources were silent. */
  async function findNewestDay(
    known: KnownVersion,
    upTo: number,
    reader: Reader,
  ): Promise<number | undefined> {
    for (let day = upTo; ; ) {
      const from = Math.floor(day / BLOCK_DAYS) * BLOCK_DAYS;
      const { days } = joinColumns(await partsOf(known, { from, to: day }, reader), []);
      const newest = days[lastUpTo(days, day)];
      if (newest !== undefined) return newest;
      const keys = providers.map(({ key }) => key).filter(isBlended);
      const before = await raw.span(pastSnapshot(known), keys, from - 1, reader);
      if (!before) return undefined;
      day = before.newest;
    }
  }

  return {
    withoutDays: pastSnapshot,
    async of(known, reader, wanted) {
      const snapshot = pastSnapshot(known);
      if (!wanted) return snapshot;
      const days = joinColumns(
        await partsOf(known, wanted.days, reader),
        wanted.currencies && withAnchors(wanted.currencies),
      );
      return { ...snapshot, days };
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

const NO_DAYS = columnsOf([]);

function pastSnapshot({ change, lastChangeOf }: KnownVersion): Snapshot {
  return {
    version: change.name,
    dataVersion: change.version,
    knownAt: change.at,
    days: NO_DAYS,
    changes: [],
    past: { lastChangeOf },
  };
}

/**
 * The blocks that hold the days of a window. Each is whole, whichever of its days have changed: that is another thing
 * after the next change, and what is kept must not depend on it.
 */
function blocksBetween(from: number, to: number): DayWindow[] {
  const first = Math.floor(from / BLOCK_DAYS);
  const count = Math.floor(to / BLOCK_DAYS) - first + 1;
  return Array.from({ length: count }, (_, index) => {
    const start = (first + index) * BLOCK_DAYS;
    return { from: start, to: start + BLOCK_DAYS - 1 };
  });
}

/** What the blends of a block depend on: the rates of a version, and the first and the last of its days. */
function nameOf({ change }: KnownVersion, { from, to }: DayWindow): string {
  return `${change.name} ${from} ${to}`;
}

function sizeOf({ rates, days }: Columns): number {
  return rates.byteLength + days.byteLength + EMPTY_BYTES;
}
