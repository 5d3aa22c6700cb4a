import { createHash, hash } from 'node:crypto';
import { type Columns, firstFrom, rateAt } from '../../../core/columns/columns.js';
import { type DayWindow, lastDayOf } from '../../../core/domain/dates.js';

/** The days of a month with rates (day numbers, both included), and the hash of these rates. */
export interface HashedMonth extends DayWindow {
  readonly hash: string;
}

type Hashed = ReturnType<typeof keepHashes>;

const hashed = new WeakMap<Columns, Hashed>();
/** There are some three hundred months, but far more possible spans than requested ones. */
const MOST_SPANS = 1_000;

/** Hashes the months with rates between two days (day numbers, both included), each rate to the last bit. */
export function monthsHash(columns: Columns, from: number, to: number): string {
  const { months, spans } = hashedOf(columns);
  const first = months.findIndex((month) => month.to >= from);
  const last = months.findLastIndex((month) => month.from <= to);
  if (first < 0 || last < first) return '';
  const name = `${first} ${last}`;
  const found = spans.get(name) ?? hashOfSpan(months.slice(first, last + 1));
  if (spans.size >= MOST_SPANS) spans.clear();
  spans.set(name, found);
  return found;
}

/** Sets the hashes of columns that another thread hashed. */
export function keepHashes(columns: Columns, months: readonly HashedMonth[]) {
  /** `spans` has the hashes of several months, by the indices of the first and the last one. */
  const kept = { months, spans: new Map<string, string>() };
  hashed.set(columns, kept);
  return kept;
}

export function hashedOf(columns: Columns): Hashed {
  return hashed.get(columns) ?? hashMonths(columns);
}

function hashOfSpan(months: readonly HashedMonth[]): string {
  const hashes = months.map((month) => month.hash);
  return hashes.length === 1 ? hashes.join() : hash('sha256', hashes.join(), 'base64url');
}

/** Hashes all months. Reuses the hashes of old columns outside a window, in which these differ. */
export function hashMonths(
  columns: Columns,
  old = { columns, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
): Hashed {
  const kept = hashed.get(old.columns)?.months.filter(({ from, to }) => to < old.from || from > old.to);
  const known = new Map(kept?.map((month) => [month.from, month]));
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
  return keepHashes(columns, months);
}

/** Reused for each month. */
let numbers = new Float64Array(0);

/** SHA-256 of the rates on the days from index `start` up to but not including `end`. */
// Its input: the day numbers; the code of each currency with any rate, and one bit for each of its days, the lowest
// first; the rates by currency and day.
function hashOfMonth({ quotes, columns, days }: Columns, start: number, end: number): string {
  const most = (end - start) * columns.length;
  if (numbers.length < most) numbers = new Float64Array(most);
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
