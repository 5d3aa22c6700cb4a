import { createYielder } from '../../../core/concurrency/yield.js';
import { blendEachDate } from '../../../core/domain/blend/blend.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { type Columns, columnsOf, SeriesBuilder } from '../snapshot/columns.js';
import { countedRows } from './day-blends.js';
import type { RawView } from './raw-store.js';


const DAYS_AT_ONCE = 120;

/** The blend of a subset of the providers, without pegs, for every day of the window on which one of them published. */
export async function blendOf(
  view: Pick<RawView, 'read'>,
  providers: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Columns> {
  const builders = new Map<string, SeriesBuilder>();
  const yieldNow = createYielder();
  for (let start = from; start <= to; start += DAYS_AT_ONCE) {
    const end = Math.min(to, start + DAYS_AT_ONCE - 1);
    const table = await view.read({ from: start - WINDOW_DAYS, to: end, providers });
    const window = { from: fromDayNumber(start), to: fromDayNumber(end) };
    for (const { date, blends } of blendEachDate(countedRows(table, start - WINDOW_DAYS, end), window)) {
      for (const blend of blends) {
        if (blend.date !== date) continue;
        const builder = builders.get(blend.quote) ?? new SeriesBuilder();
        builders.set(blend.quote, builder);
        builder.append(dayNumber(date), blend.rate);
      }
      await yieldNow();
    }
  }
  return columnsOf([...builders].map(([quote, builder]) => [quote, builder.finish()] as const));
}
