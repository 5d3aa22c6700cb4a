import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import { blendEachDate } from '../../../core/domain/blend/blend.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { type Columns, columnsOf, SeriesBuilder } from '../snapshot/columns.js';
import { type RawTable, rawRows } from './raw-table.js';

/**
 * The blend of raw rows, without pegs, for every day of the window on which one of their providers published. The table
 * begins 14 days before the window, or earlier.
 */
export async function blendOf(
  table: RawTable,
  { from, to }: { from: number; to: number },
  yieldNow: YieldNow,
): Promise<Columns> {
  const builders = new Map<string, SeriesBuilder>();
  const window = { from: fromDayNumber(from), to: fromDayNumber(to) };
  for (const { date, blends } of blendEachDate(rawRows(table, from - WINDOW_DAYS, to), window)) {
    for (const blend of blends) {
      if (blend.date !== date) continue;
      const builder = builders.get(blend.quote) ?? new SeriesBuilder();
      builders.set(blend.quote, builder);
      builder.append(dayNumber(date), blend.rate);
    }
    await yieldNow();
  }
  return columnsOf([...builders].map(([quote, builder]) => [quote, builder.finish()] as const));
}
