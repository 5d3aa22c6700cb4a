import type { RawRow } from '../../domain/blend/carry-forward.js';
import { dayNumber } from '../../domain/dates.js';

// https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format".
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const FLAGS_AND_EXTENSION = Buffer.alloc(8);
const END = Buffer.from([0xff, 0xff]);
const DAYS_TO_2000 = dayNumber('2000-01-01');
const MILLISECONDS_TO_2000 = Date.UTC(2000, 0, 1);
/** The bytes of a provider key, two codes, a date, a number and an instant, each with its length. */
const LONGEST_ROW = 76;

export const copyStart = Buffer.concat([SIGNATURE, FLAGS_AND_EXTENSION]);
export const copyEnd = END;

/**
 * Encodes (provider, date, base, quote, rate), and recorded_at if an instant in milliseconds since 1970 is
 * given, for a binary COPY. Keys and codes are ASCII, a key has at most 16 characters.
 */
export function createCopyEncoder(recordedAt?: number): (rows: readonly RawRow[]) => Buffer {
  const fields = recordedAt === undefined ? 5 : 6;
  // PostgreSQL counts microseconds since 2000.
  const instant = BigInt((recordedAt ?? 0) - MILLISECONDS_TO_2000) * 1000n;
  // Millions of rows have few distinct dates.
  const days = new Map<string, number>();
  return (rows) => {
    const bytes = Buffer.allocUnsafe(rows.length * LONGEST_ROW);
    let at = 0;
    const writeText = (text: string) => {
      at = bytes.writeInt32BE(text.length, at);
      for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
    };
    for (const { provider, date, base, quote, rate } of rows) {
      let day = days.get(date);
      if (day === undefined) {
        day = dayNumber(date) - DAYS_TO_2000;
        days.set(date, day);
      }
      at = bytes.writeInt16BE(fields, at);
      writeText(provider);
      at = bytes.writeInt32BE(4, at);
      at = bytes.writeInt32BE(day, at);
      writeText(base);
      writeText(quote);
      at = bytes.writeInt32BE(8, at);
      at = bytes.writeDoubleBE(rate, at);
      if (recordedAt === undefined) continue;
      at = bytes.writeInt32BE(8, at);
      at = bytes.writeBigInt64BE(instant, at);
    }
    return bytes.subarray(0, at);
  };
}
