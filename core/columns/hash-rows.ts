import type { Hash } from 'node:crypto';
import { dayNumber } from '../domain/dates.js';
import { type Columns, rateAt } from './columns.js';

/** PostgreSQL sends dates as the days since then. */
const EPOCH = dayNumber('2000-01-01');
const DATE_BYTES = 4;
const CODE_BYTES = 3;
const RATE_BYTES = 8;
const ROW_BYTES = DATE_BYTES + CODE_BYTES + RATE_BYTES;

/** Used again for each call: new memory takes several times as long as what is written to it. */
let buffer = Buffer.alloc(0);

/**
 * Adds the rows of some days to a hash, from index `start` up to but not including `end`, by day and quote: of each its date, its
 * quote and its rate as PostgreSQL sends them. With equal bytes, rows are equal to the last bit. Returns how many they are.
 */
export function hashRows(hash: Hash, { quotes, columns, days }: Columns, start: number, end: number): number {
  const codes = quotes.map((quote) => Buffer.from(quote));
  const most = (end - start) * codes.length * ROW_BYTES;
  if (buffer.length < most) buffer = Buffer.alloc(most);
  // Several times faster than a call of the buffer for each value.
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let at = 0;
  for (let dayIndex = start; dayIndex < end; dayIndex++) {
    const day = (days[dayIndex] ?? 0) - EPOCH;
    for (let index = 0; index < codes.length; index++) {
      const column = columns[index];
      const code = codes[index];
      if (!column || !code) continue;
      const rate = rateAt(column, dayIndex);
      if (Number.isNaN(rate)) continue;
      view.setInt32(at, day);
      buffer.set(code, at + DATE_BYTES);
      view.setFloat64(at + DATE_BYTES + CODE_BYTES, rate);
      at += ROW_BYTES;
    }
  }
  hash.update(buffer.subarray(0, at));
  return at / ROW_BYTES;
}
