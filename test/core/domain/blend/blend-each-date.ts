import { type Blend, blendCarried } from '../../../../core/domain/blend/blend.js';
import { eachObservationDate, type RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { type CalendarDate, dayNumber } from '../../../../core/domain/dates.js';

/** Blends every observation date of a window; rows in the order that `eachObservationDate` requires. */
export function* blendEachDate(
  rows: Iterable<RawRow>,
  window: { from: CalendarDate; to: CalendarDate },
): Generator<{ date: CalendarDate; blends: Blend[] }> {
  for (const { date, carried } of eachObservationDate(rows, window)) {
    yield { date, blends: blendCarried(carried, dayNumber(date)) };
  }
}
