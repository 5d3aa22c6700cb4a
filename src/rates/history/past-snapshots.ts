import { LRUCache } from 'lru-cache';
import {
  type Columns,
  ColumnsBuilder,
  type DaysOf,
  joinColumns,
  lastUpTo,
} from '../../../core/columns/columns.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import { blendedDay } from '../../../core/domain/blend/blended-day.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { withAnchors } from '../../../core/domain/pegs.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import { isBlended, providers } from '../../../core/domain/providers.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { blendsOn } from '../sources/day-blends.js';
import type { RawReads, Reader } from '../sources/raw-reads.js';
import { type KnownVersion, pastSnapshot } from './versions.js';

export interface WantedDays {
  days: DayWindow;
  currencies?: readonly string[] | undefined;
}

/** The blended rates as known at a past version, blended by the present method. */
export interface PastSnapshots {
  /** Has the days of a window, of `currencies` and their pegs if given. Throws the errors of the raw store. */
  of(known: KnownVersion, reader: Reader, wanted: WantedDays): Promise<Snapshot>;
  /** Returns the newest day up to a limit that had blended rates; undefined if none had. */
  newestDay(known: KnownVersion, upTo: number, reader: Reader): Promise<number | undefined>;
}

/** Days are blended and cached in blocks of this length. */
const BLOCK_DAYS = 16;
const MOST_BLOCKS_AT_ONCE = 4;
const KEPT_BYTES = 32 * 1024 * 1024;
const EMPTY_BYTES = 500;
const BLENDED = providers.map(({ key }) => key).filter(isBlended);

/** Uses unchanged days of the newest snapshot. Blends other days without the rates held back then, and caches them. */
export function openPastSnapshots(raw: Pick<RawReads, 'read' | 'span'>): PastSnapshots {
  const kept = new LRUCache<string, Columns>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ rates, days }) => rates.byteLength + days.byteLength + EMPTY_BYTES,
  });
  const singleFlight = createSingleFlight<Columns[]>();
  const newestDays = new LRUCache<string, { day: number | undefined }>({ max: 10_000 });

  async function partsOf(known: KnownVersion, { from, to }: DayWindow, reader: Reader): Promise<DaysOf[]> {
    const { current, changedSince } = known;
    const parts: DaysOf[] = [];
    let next = from;
    for (const changed of changedSince) {
      const start = Math.max(changed.from, next);
      const end = Math.min(changed.to, to);
      if (start > end) continue;
      if (next < start) parts.push({ columns: current.days, from: next, to: start - 1 });
      const blocks = blocksBetween(start, end);
      for (const [index, columns] of (await blendsOf(known, blocks, reader)).entries()) {
        const block = blocks[index] ?? changed;
        parts.push({ columns, from: Math.max(start, block.from), to: Math.min(end, block.to) });
      }
      next = end + 1;
    }
    if (next <= to) parts.push({ columns: current.days, from: next, to });
    return parts;
  }

  /** Returns the blends of consecutive blocks. Blocks that are not cached are made, a few at a time. */
  async function blendsOf(known: KnownVersion, blocks: readonly DayWindow[], reader: Reader) {
    const names = blocks.map(({ from, to }) => `${known.change.name} ${from} ${to}`);
    const found: Columns[] = [];
    for (let at = 0; at < blocks.length; at = found.length) {
      const columns = kept.get(names[at] ?? '');
      if (columns) {
        found.push(columns);
        continue;
      }
      const nextKept = names.findIndex((name, index) => index > at && kept.has(name));
      const end = Math.min(at + MOST_BLOCKS_AT_ONCE, nextKept < 0 ? blocks.length : nextKept);
      const missing = names.slice(at, end);
      const blend = (signal: AbortSignal) => blendBlocks(raw, known, blocks.slice(at, end), { signal });
      const made = await singleFlight(missing.join(), blend, reader.signal);
      for (const [index, one] of made.entries()) kept.set(missing[index] ?? '', one);
      found.push(...made);
    }
    return found;
  }

  /** Searches a block of days, and further back if no source published in it. */
  async function findNewestDay(known: KnownVersion, upTo: number, reader: Reader) {
    for (let day = upTo; ; ) {
      const from = Math.floor(day / BLOCK_DAYS) * BLOCK_DAYS;
      const { days } = joinColumns(await partsOf(known, { from, to: day }, reader), []);
      const newest = days[lastUpTo(days, day)];
      if (newest !== undefined) return newest;
      const before = await raw.span(pastSnapshot(known), BLENDED, from - 1, reader);
      if (!before) return undefined;
      day = before.newest;
    }
  }

  return {
    async of(known, reader, { days, currencies }) {
      const parts = await partsOf(known, days, reader);
      return {
        ...pastSnapshot(known),
        days: joinColumns(parts, currencies && withAnchors(currencies)),
      };
    },
    async newestDay(known, upTo, reader) {
      const name = `${known.change.name} ${upTo}`;
      const found = newestDays.get(name) ?? { day: await findNewestDay(known, upTo, reader) };
      newestDays.set(name, found);
      return found.day;
    },
  };
}

async function blendBlocks(
  raw: Pick<RawReads, 'read'>,
  known: KnownVersion,
  blocks: readonly DayWindow[],
  reader: Reader,
): Promise<Columns[]> {
  const from = blocks[0]?.from ?? 0;
  const to = blocks.at(-1)?.to ?? from;
  // The blends of the first day use the newest row of each pair.
  const selection = { from: from - WINDOW_DAYS, to, newestBefore: from };
  const table = await raw.read(pastSnapshot(known), selection, reader);
  const builders = blocks.map(() => new ColumnsBuilder());
  for (const { day, blends } of blendsOn(table, { from, to })) {
    const builder = builders[Math.floor((day - from) / BLOCK_DAYS)];
    for (const { quote, rate } of blendedDay(fromDayNumber(day), [...blends.values()]))
      builder?.append(quote, day, rate);
  }
  return builders.map((builder) => builder.finish());
}

/** Whole blocks around a window: a cached block must not depend on which of its days have changed. */
function blocksBetween(from: number, to: number): DayWindow[] {
  const first = Math.floor(from / BLOCK_DAYS);
  const count = Math.floor(to / BLOCK_DAYS) - first + 1;
  return Array.from({ length: count }, (_, index) => {
    const start = (first + index) * BLOCK_DAYS;
    return { from: start, to: start + BLOCK_DAYS - 1 };
  });
}
