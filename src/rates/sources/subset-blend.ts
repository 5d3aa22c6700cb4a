import { builderOf, type Columns, columnsOf, type SeriesBuilder } from '../../../core/columns/columns.js';
import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { blendsOn, type DayBlends } from './day-blends.js';
import type { RawTable } from './raw-table.js';

/** The blend of a subset of the providers, without pegs, for every day on which one of them published. */
export interface SubsetBlend {
  /** Adds the days of a window. The table begins 14 days before the window, or earlier; windows come in order. */
  add(table: RawTable, window: { from: number; to: number }, yieldNow: YieldNow): Promise<void>;
  finish(yieldNow: YieldNow): Promise<Columns>;
}

export function createSubsetBlend(): SubsetBlend {
  const builders = new Map<string, SeriesBuilder>();
  return {
    async add(table, { from, to }, yieldNow) {
      await yieldNow();
      for (const ofDay of blendsOn(table, from, to, () => true)) {
        if (ofDay) appendTo(builders, ofDay);
        await yieldNow();
      }
    },
    finish: async () =>
      columnsOf([...builders].map(([quote, builder]) => [quote, builder.finish()] as const)),
  };
}

/** Appends the blends of a day that are of rates of that day. */
function appendTo(builders: Map<string, SeriesBuilder>, { day, blends }: DayBlends): void {
  const date = fromDayNumber(day);
  for (const [quote, blend] of blends) {
    if (blend.date === date) builderOf(builders, quote).append(day, blend.rate);
  }
}

/** The same for one window. */
export async function blendOf(
  table: RawTable,
  window: { from: number; to: number },
  yieldNow: YieldNow,
): Promise<Columns> {
  const blend = createSubsetBlend();
  await blend.add(table, window, yieldNow);
  return blend.finish(yieldNow);
}
