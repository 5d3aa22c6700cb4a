import { LRUCache } from 'lru-cache';
import { type Columns, ColumnsBuilder, type DaysOf } from '../../../core/columns/columns.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import { blendedDay } from '../../../core/domain/blend/blended-day.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import { blendsOn } from '../sources/day-blends.js';
import type { RawReads, Reader } from '../sources/raw-reads.js';
import { type KnownVersion, pastSnapshot } from './versions.js';

/** Days are blended and cached in blocks of this length. */
export const BLOCK_DAYS = 16;
const MOST_BLOCKS_AT_ONCE = 4;
const KEPT_BYTES = 32 * 1024 * 1024;
const EMPTY_BYTES = 500;

/**
 * The blended rates of past versions. A day whose blends have not changed since a version uses those of the newest snapshot.
 * Other days are blended again, from the rates known then, without those that were held back then. The results are cached.
 */
export class PastBlends {
  readonly #raw: Pick<RawReads, 'read'>;
  readonly #kept = new LRUCache<string, Columns>({ maxSize: KEPT_BYTES, sizeCalculation: sizeOf });
  readonly #singleFlight = createSingleFlight<Columns[]>();

  constructor(raw: Pick<RawReads, 'read'>) {
    this.#raw = raw;
  }

  /** Returns the days of a window in consecutive parts. Throws the errors of the raw store. */
  async partsOf(known: KnownVersion, { from, to }: DayWindow, reader: Reader): Promise<DaysOf[]> {
    const { current, changedSince } = known;
    const parts: DaysOf[] = [];
    let next = from;
    for (const changed of changedSince) {
      const start = Math.max(changed.from, next);
      const end = Math.min(changed.to, to);
      if (start > end) continue;
      if (next < start) parts.push({ columns: current.days, from: next, to: start - 1 });
      const blocks = blocksBetween(start, end);
      for (const [index, columns] of (await this.#blendsOf(known, blocks, reader)).entries()) {
        const block = blocks[index] ?? changed;
        parts.push({ columns, from: Math.max(start, block.from), to: Math.min(end, block.to) });
      }
      next = end + 1;
    }
    if (next <= to) parts.push({ columns: current.days, from: next, to });
    return parts;
  }

  /** Returns the blends of consecutive blocks. Blocks that are not cached are made, a few at a time. */
  async #blendsOf(known: KnownVersion, blocks: readonly DayWindow[], reader: Reader): Promise<Columns[]> {
    const names = blocks.map(({ from, to }) => `${known.change.name} ${from} ${to}`);
    const found: Columns[] = [];
    for (let at = 0; at < blocks.length; at = found.length) {
      const kept = this.#kept.get(names[at] ?? '');
      if (kept) {
        found.push(kept);
        continue;
      }
      const nextKept = names.findIndex((name, index) => index > at && this.#kept.has(name));
      const end = Math.min(at + MOST_BLOCKS_AT_ONCE, nextKept < 0 ? blocks.length : nextKept);
      const missing = names.slice(at, end);
      const blend = (signal: AbortSignal) => this.#blend(known, blocks.slice(at, end), { signal });
      const made = await this.#singleFlight(missing.join(), blend, reader.signal);
      for (const [index, columns] of made.entries()) this.#kept.set(missing[index] ?? '', columns);
      found.push(...made);
    }
    return found;
  }

  async #blend(known: KnownVersion, blocks: readonly DayWindow[], reader: Reader): Promise<Columns[]> {
    const from = blocks[0]?.from ?? 0;
    const to = blocks.at(-1)?.to ?? from;
    // The blends of the first day use the newest row of each pair.
    const selection = { from: from - WINDOW_DAYS, to, newestBefore: from };
    const table = await this.#raw.read(pastSnapshot(known), selection, reader);
    const builders = blocks.map(() => new ColumnsBuilder());
    for (const { day, blends } of blendsOn(table, { from, to })) {
      const builder = builders[Math.floor((day - from) / BLOCK_DAYS)];
      for (const { quote, rate } of blendedDay(fromDayNumber(day), [...blends.values()]))
        builder?.append(quote, day, rate);
    }
    return builders.map((builder) => builder.finish());
  }
}

/**
 * The blocks that contain the days of a window. Each block is complete, whichever of its days have changed: the next change
 * may add days, and the cached block must not depend on them.
 */
function blocksBetween(from: number, to: number): DayWindow[] {
  const first = Math.floor(from / BLOCK_DAYS);
  const count = Math.floor(to / BLOCK_DAYS) - first + 1;
  return Array.from({ length: count }, (_, index) => {
    const start = (first + index) * BLOCK_DAYS;
    return { from: start, to: start + BLOCK_DAYS - 1 };
  });
}

function sizeOf({ rates, days }: Columns): number {
  return rates.byteLength + days.byteLength + EMPTY_BYTES;
}
