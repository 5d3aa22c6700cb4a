import { dayNumber } from '../domain/dates.js';
import { type Columns, rateAt } from './columns.js';

/** PostgreSQL sends dates as the days since then. */
const EPOCH = dayNumber('2000-01-01');
const DATE_BYTES = 4;
const CODE_BYTES = 3;
const RATE_BYTES = 8;
const ROW_BYTES = DATE_BYTES + CODE_BYTES + RATE_BYTES;

/**
 * The rows of some days, from index `start` up to but not including `end`, by day and quote: of each its date, its quote and
 * its rate as PostgreSQL sends them. Equal bytes are equal rows, to the last bit.
 */
export function storedBytes({ quotes, columns, days }: Columns, start: number, end: number): Buffer {
  const codes = quotes.map((quote) => Buffer.from(quote));
  const rows = Buffer.allocUnsafe((end - start) * codes.length * ROW_BYTES);
  let at = 0;
  for (let dayIndex = start; dayIndex < end; dayIndex++) {
    const day = (days[dayIndex] ?? 0) - EPOCH;
    for (let index = 0; index < codes.length; index++) {
      const [code, column] = [codes[index], columns[index]];
      const rate = column ? rateAt(column, dayIndex) : Number.NaN;
      if (!code || Number.isNaN(rate)) continue;
      at = rows.writeInt32BE(day, at);
      at += code.copy(rows, at);
      at = rows.writeDoubleBE(rate, at);
    }
  }
  return rows.subarray(0, at);
}

/** How many rows such bytes are. */
export function storedRows(bytes: Buffer): number {
  return bytes.length / ROW_BYTES;
}
