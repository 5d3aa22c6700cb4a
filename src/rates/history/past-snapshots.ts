import { ColumnsBuilder, type DaysOf, joinColumns, lastDayUpTo } from '../../../core/columns/columns.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import { blendedDay } from '../../../core/domain/blend/apply-pegs.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type DayWindow, fromDayNumber } from '../../../core/domain/dates.js';
import { withAnchors } from '../../../core/domain/pegs.js';
import { isBlended, providers } from '../../../core/domain/providers.js';
import { type DateSelection, daysNeeded } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { blendsOn } from '../sources/day-blends.js';
import { type KeptRates, nameOfPast, openKeptRates } from '../sources/kept-rates.js';
import type { RawReads, Reader } from '../sources/raw-reads.js';
import type { KnownVersion } from './versions.js';

/** Days are blended and cached in blocks of this length. */
const BLOCK_DAYS = 16;
const MOST_BLOCKS_AT_ONCE = 4;

type Raw = Pick<RawReads, 'read' | 'span'>;

export type PastSnapshots = Pick<PastBlends, 'of' | 'newestDay' | 'holds'>;

/** The blended rates as known at a past version, blended by the present method. Throws the errors of the raw store. */
// Uses unchanged days of the newest snapshot. Blends other days without the rates held back then, and caches them.
export class PastBlends {
  readonly #raw: Raw;
  readonly #kept: KeptRates;
  readonly #singleFlight = createSingleFlight<DaysOf[]>();

  constructor(raw: Raw, kept: KeptRates = openKeptRates()) {
    this.#raw = raw;
    this.#kept = kept;
  }

  /** Has the days of a window, of `currencies` and their pegs if given. */
  async of(
    known: KnownVersion,
    reader: Reader,
    { days, currencies }: { days: DayWindow; currencies?: readonly string[] | undefined },
  ): Promise<Snapshot> {
    const parts = await this.#partsOf(known, days, reader);
    return { ...known.snapshot, days: joinColumns(parts, currencies && withAnchors(currencies)) };
  }

  /** Returns the newest day up to a limit that had blended rates; undefined if none had. */
  async newestDay(known: KnownVersion, upTo: number, reader: Reader): Promise<number | undefined> {
    const name = nameOfPast('newest', known.snapshot.version, upTo);
    const cached = this.#kept.pasts.get(name);
    if (cached) return cached.newest;
    const newest = await this.#findNewestDay(known, upTo, reader);
    this.#kept.keep({ name, pasts: { newest } });
    return newest;
  }

  /** Whether `of` and `newestDay` find all that the rows of a version need in memory. `today` is a day number. */
  holds({ name, today }: { name: string; today: number }, current: Snapshot, when: DateSelection): boolean {
    const { pasts } = this.#kept;
    const known = pasts.get(nameOfPast('newest', name, today + 1));
    const changed = pasts.get(nameOfPast('changed', name, current.version))?.changed;
    const days = daysNeeded(when, known?.newest);
    if (!known || !changed || !days) return false;
    const blocks = changed.flatMap(({ from, to }) =>
      blocksBetween(Math.max(from, days.from), Math.min(to, days.to)),
    );
    return blocks.every((block) => pasts.get(nameOfPast('block', name, block.from)));
  }

  async #partsOf(known: KnownVersion, { from, to }: DayWindow, reader: Reader): Promise<DaysOf[]> {
    const { current, changedSince } = known;
    const parts: DaysOf[] = [];
    let next = from;
    for (const changed of changedSince) {
      const [start, end] = [Math.max(changed.from, next), Math.min(changed.to, to)];
      if (start > end) continue;
      parts.push({ columns: current.days, from: next, to: start - 1 });
      for (const blend of await this.#blendsOf(known, blocksBetween(start, end), reader))
        parts.push({ ...blend, from: Math.max(start, blend.from), to: Math.min(end, blend.to) });
      next = end + 1;
    }
    parts.push({ columns: current.days, from: next, to });
    return parts.filter((part) => part.from <= part.to);
  }

  /** Searches a block of days, and further back if no source published in it. */
  async #findNewestDay(known: KnownVersion, upTo: number, reader: Reader): Promise<number | undefined> {
    // Custom sources are set after this module is imported.
    const blended = providers.map(({ key }) => key).filter(isBlended);
    for (let day = upTo; ; ) {
      const from = Math.floor(day / BLOCK_DAYS) * BLOCK_DAYS;
      const { days } = joinColumns(await this.#partsOf(known, { from, to: day }, reader), []);
      const newest = lastDayUpTo(days, day);
      if (newest !== undefined) return newest;
      const before = await this.#raw.span(known.snapshot, blended, from - 1, reader);
      if (!before) return undefined;
      day = before.newest;
    }
  }

  /** Returns the blends of consecutive blocks. Blocks that are not cached are made, a few at a time. */
  async #blendsOf(known: KnownVersion, blocks: readonly DayWindow[], reader: Reader): Promise<DaysOf[]> {
    const nameOf = ({ from }: DayWindow) => nameOfPast('block', known.snapshot.version, from);
    const found: DaysOf[] = [];
    while (found.length < blocks.length) {
      const next = blocks.slice(found.length, found.length + MOST_BLOCKS_AT_ONCE);
      const [cached, ...others] = next.map((block) => this.#kept.pasts.get(nameOf(block))?.block);
      if (cached) {
        found.push(cached);
        continue;
      }
      const end = others.findIndex((block) => block !== undefined);
      const missing = end < 0 ? next : next.slice(0, end + 1);
      const blend = (signal: AbortSignal) => blendBlocks(this.#raw, known, missing, { signal });
      const made = await this.#singleFlight(missing.map(nameOf).join(), blend, reader.signal);
      for (const one of made) this.#kept.keep({ name: nameOf(one), pasts: { block: one } });
      found.push(...made);
    }
    return found;
  }
}

async function blendBlocks(raw: Raw, known: KnownVersion, blocks: readonly DayWindow[], reader: Reader) {
  const from = blocks[0]?.from ?? 0;
  const to = blocks.at(-1)?.to ?? from;
  // The blends of the first day use the newest row of each pair.
  const selection = { from: from - WINDOW_DAYS, to, newestBefore: from };
  const table = await raw.read(known.snapshot, selection, reader);
  const blended = blocks.map((block) => ({ ...block, builder: new ColumnsBuilder() }));
  for (const { day, blends } of blendsOn(table, { from, to })) {
    const block = blended[Math.floor((day - from) / BLOCK_DAYS)];
    for (const { quote, rate } of blendedDay(fromDayNumber(day), [...blends.values()]))
      block?.builder.append(quote, day, rate);
  }
  return blended.map(({ builder, ...block }) => ({ ...block, columns: builder.finish() }));
}

/** Whole blocks around a window: a cached block must not depend on which of its days have changed. */
function blocksBetween(from: number, to: number): DayWindow[] {
  const first = Math.floor(from / BLOCK_DAYS);
  const count = from > to ? 0 : Math.floor(to / BLOCK_DAYS) - first + 1;
  return Array.from({ length: count }, (_, index) => {
    const start = (first + index) * BLOCK_DAYS;
    return { from: start, to: start + BLOCK_DAYS - 1 };
  });
}
