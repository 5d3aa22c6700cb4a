/**
 * About as many days of raw rows are read at a time, and kept while the client reads what is made of them. Each portion
 * also reads the days before it that rates are carried from.
 */
export const PORTION_DAYS = 62;

/** The days from one to another, both included, in portions. */
export function* portionsOf(from: number, to: number): Generator<{ from: number; to: number }> {
  for (let start = from; start <= to; start += PORTION_DAYS) {
    yield { from: start, to: Math.min(to, start + PORTION_DAYS - 1) };
  }
}
