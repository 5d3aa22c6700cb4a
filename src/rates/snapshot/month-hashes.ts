import { createHash } from 'node:crypto';
import { type Columns, firstFrom, rateAt } from '../../../core/columns/columns.js';
import { type DayWindow, EVER, lastDayOf } from '../../../core/domain/dates.js';

/** The days of a month with rates (day numbers, both included), and the hash of these rates. */
export interface HashedMonth extends DayWindow {
  readonly hash: string;
}

/** Names the rates between two days (day numbers, both included) by the hashes of their months; empty without rates. */
export function nameOfMonths(months: readonly HashedMonth[], { from, to }: DayWindow): string {
  const named = months.filter((month) => month.to >= from && month.from <= to);
  return named.map(({ hash }) => hash).join();
}

/** Hashes all months, each rate to the last bit. Reuses the hashes of older columns outside a window, in which these differ. */
export function hashMonths(
  columns: Columns,
  old: readonly HashedMonth[] = [],
  changed: DayWindow = EVER,
): HashedMonth[] {
  const kept = old.filter(({ from, to }) => to < changed.from || from > changed.to);
  const known = new Map(kept.map((month) => [month.from, month]));
  const months: HashedMonth[] = [];
  const { days } = columns;
  for (let start = 0, end = 0; start < days.length; start = end) {
    const from = days[start] ?? 0;
    end = firstFrom(days, lastDayOf('month', from) + 1);
    const to = days[end - 1] ?? from;
    const same = known.get(from);
    // The last day of the month may have been in the window.
    months.push(same?.to === to ? same : { from, to, hash: hashOfMonth(columns, start, end) });
  }
  return months;
}

/** SHA-256 of the rates on the days from index `start` up to but not including `end`. */
// Its input: the day numbers; the code of each currency with any rate, and one bit for each of its days, the lowest
// first; the rates by currency and day.
function hashOfMonth({ quotes, columns, days }: Columns, start: number, end: number): string {
  const numbers = new Float64Array((end - start) * columns.length);
  let names = days.subarray(start, end).join();
  let count = 0;
  columns.forEach((column, index) => {
    let rated = 0;
    for (let dayIndex = start; dayIndex < end; dayIndex++) {
      const rate = rateAt(column, dayIndex);
      if (Number.isNaN(rate)) continue;
      rated |= 1 << (dayIndex - start);
      numbers[count++] = rate;
    }
    if (rated !== 0) names += ` ${quotes[index]} ${rated}`;
  });
  const bytes = Buffer.from(numbers.buffer, 0, count * Float64Array.BYTES_PER_ELEMENT);
  return createHash('sha256').update(`${names}\n`).update(bytes).digest('base64url');
}
