import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import { type Blend, blendCarried } from '../../../core/domain/blend/blend.js';
import { eachObservationDate, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { type RawTable, rawRows } from './raw-table.js';

/** The blends of one observation date, by quote. */
export interface DayBlends {
  day: number;
  blends: ReadonlyMap<string, Blend>;
}

/** The blends of the requested observation dates in a window. */
export function* blendsOn(
  table: RawTable,
  from: number,
  to: number,
  isWanted: (day: number) => boolean,
): Generator<DayBlends> {
  const window = { from: fromDayNumber(from), to: fromDayNumber(to) };
  for (const { date, carried } of eachObservationDate(rawRows(table, from - WINDOW_DAYS, to), window)) {
    const day = dayNumber(date);
    if (!isWanted(day)) continue;
    const blends = blendCarried(carried, day).map((blend) => [blend.quote, blend] as const);
    yield { day, blends: new Map(blends) };
  }
}

/** Raw rows shared by requests, with the blends that were last computed from them. */
export interface BlendedTable {
  readonly table: RawTable;
  /** The blends of every observation date from one day to another. */
  blends(from: number, to: number): Promise<readonly DayBlends[]>;
}

/** The blends are computed at their first use, and again for a different window. Several clients may wait for them. */
export function createBlendedTable(table: RawTable, yieldNow: YieldNow): BlendedTable {
  let known: { from: number; to: number; blends: Promise<DayBlends[]> } | undefined;
  return {
    table,
    blends(from, to) {
      if (known?.from !== from || known.to !== to)
        known = { from, to, blends: blendsBetween(table, { from, to }, yieldNow) };
      return known.blends;
    },
  };
}

async function blendsBetween(
  table: RawTable,
  { from, to }: { from: number; to: number },
  yieldNow: YieldNow,
): Promise<DayBlends[]> {
  const collected: DayBlends[] = [];
  for (const day of blendsOn(table, from, to, () => true)) {
    collected.push(day);
    await yieldNow();
  }
  return collected;
}
