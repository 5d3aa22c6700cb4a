import { createHash, type Hash } from 'node:crypto';
import { dayNumber } from '../domain/dates.js';
import { type Columns, rateAt } from './columns.js';
import type { BlendedPeriods } from './means.js';

/** The rows of this many days take some hundred kilobytes. */
const DAYS_AT_ONCE = 64;

/** The digest of each period, as printed by the command `digest`. */
export function digestOf({ day, week, month }: BlendedPeriods) {
  return { day: digestOfColumns(day), week: digestOfColumns(week), month: digestOfColumns(month) };
}

/** SHA-256 over the date, quote and rate of all rows, in PostgreSQL's binary format, by date and quote. */
function digestOfColumns(columns: Columns) {
  const hash = createHash('sha256');
  let rows = 0;
  for (let start = 0; start < columns.days.length; start += DAYS_AT_ONCE)
    rows += hashRows(hash, columns, start, Math.min(start + DAYS_AT_ONCE, columns.days.length));
  return { rows, sha256: hash.digest('hex') };
}

/** PostgreSQL sends dates as days since this one. */
const EPOCH = dayNumber('2000-01-01');
const DATE_BYTES = 4;
const CODE_BYTES = 3;
const RATE_BYTES = 8;
const ROW_BYTES = DATE_BYTES + CODE_BYTES + RATE_BYTES;

/** Reused by each call: allocating memory takes several times as long as writing to it. */
let buffer = Buffer.alloc(0);

/** Hashes rows by day and quote, in PostgreSQL's binary format, so equal to the last bit. Returns their number. */
function hashRows(hash: Hash, { quotes, columns, days }: Columns, start: number, end: number): number {
  const codes = quotes.map((quote) => Buffer.from(quote));
  const most = (end - start) * codes.length * ROW_BYTES;
  if (buffer.length < most) buffer = Buffer.alloc(most);
  // Several times faster than the methods of Buffer.
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
