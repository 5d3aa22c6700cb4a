/** What a request takes, as far as can be told before its work begins. */
export interface Cost {
  /** Rows of the response. Each source of a row counts as one. */
  rows: number;
  /** Days of which raw rows are read. */
  rawDays: number;
  /** Bytes of what is held whole, and not read while it is made: a body, or a response. */
  wholeBytes?: number;
  /** Whether the database is read, though not for days of raw rows. */
  reads?: boolean;
}

/** Of what is at hand and short. */
export const LITTLE: Cost = { rows: 1, rawDays: 0 };

const MEBIBYTE = 1024 * 1024;
const ROW_BYTES = 96;
/** A stream has two buffers, of which the client reads one while the other is filled, and perhaps a compressor. */
const STREAM_BYTES = 1.5 * MEBIBYTE;
/** All sources together publish some 1,700 rows a day, of 18 bytes each. */
const RAW_DAY_BYTES = 30 * 1024;
/** Raw rows of long ranges are read in portions of so many days at most. */
const LONGEST_PORTION_DAYS = 92;

const MOST_ROWS_AT_ONCE = 16_000;
const MOST_BYTES_AT_ONCE = MEBIBYTE;

/** Whether making a response takes longer than about a millisecond: it must not keep the event loop busy. */
export function isLong({ rows, rawDays, wholeBytes = 0, reads = false }: Cost): boolean {
  return reads || rawDays > 0 || rows > MOST_ROWS_AT_ONCE || wholeBytes > MOST_BYTES_AT_ONCE;
}

/** An estimate of what the request holds in memory until its response has been read, in bytes. */
export function bytesOf({ rows, rawDays, wholeBytes = 0 }: Cost): number {
  const response = Math.min(rows * ROW_BYTES, STREAM_BYTES);
  return response + Math.min(rawDays, LONGEST_PORTION_DAYS) * RAW_DAY_BYTES + wholeBytes;
}
