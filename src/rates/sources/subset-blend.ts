import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import { blendEachDate } from '../../../core/domain/blend/blend.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { type Columns, columnsInTurns, SeriesBuilder } from '../snapshot/columns.js';
import { countedRows } from './day-blends.js';
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
      const window = { from: fromDayNumber(from), to: fromDayNumber(to) };
      const rows = countedRows(table, from - WINDOW_DAYS, to);
      for (const { date, blends } of blendEachDate(rows, window, table.knownOn)) {
        for (const blend of blends) {
          if (blend.date !== date) continue;
          const builder = builders.get(blend.quote) ?? new SeriesBuilder();
          builders.set(blend.quote, builder);
          builder.append(dayNumber(date), blend.rate);
        }
        await yieldNow();
      }
    },
    finish: (yieldNow) =>
      columnsInTurns(
        [...builders].map(([quote, builder]) => [quote, builder.finish()] as const),
        yieldNow,
      ),
  };
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
