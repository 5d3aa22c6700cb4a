import { createHash } from 'node:crypto';
import { dayNumber } from '../domain/dates.js';
import { type Columns, rateAt } from './columns.js';
import type { BlendedPeriods } from './means.js';

/** The digest of each period, as printed by the command `digest`. */
export function digestOf({ days, weeks, months }: BlendedPeriods) {
  return { day: digestOfColumns(days), week: digestOfColumns(weeks), month: digestOfColumns(months) };
}

/** PostgreSQL sends dates as days since this one. */
const EPOCH = dayNumber('2000-01-01');
const DATE_BYTES = 4;
const CODE_BYTES = 3;
const RATE_BYTES = 8;
const ROW_BYTES = DATE_BYTES + CODE_BYTES + RATE_BYTES;

/** SHA-256 over the date, quote and rate of all rows, in PostgreSQL's binary format, by date and quote: equal to the last bit. */
function digestOfColumns({ quotes, columns, days }: Columns) {
  const hash = createHash('sha256');
  const codes = quotes.map((quote) => Buffer.from(quote));
  const rowsOfDay = Buffer.alloc(codes.length * ROW_BYTES);
  // Several times faster than the methods of Buffer.
  const view = new DataView(rowsOfDay.buffer, rowsOfDay.byteOffset, rowsOfDay.length);
  let bytes = 0;
  for (const [dayIndex, day] of days.entries()) {
    let at = 0;
    for (const [index, column] of columns.entries()) {
      const rate = rateAt(column, dayIndex);
      if (Number.isNaN(rate)) continue;
      view.setInt32(at, day - EPOCH);
      rowsOfDay.set(codes[index] ?? [], at + DATE_BYTES);
      view.setFloat64(at + DATE_BYTES + CODE_BYTES, rate);
      at += ROW_BYTES;
    }
    hash.update(rowsOfDay.subarray(0, at));
    bytes += at;
  }
  return { rows: bytes / ROW_BYTES, sha256: hash.digest('hex') };
}
