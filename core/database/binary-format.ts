import type { RawRow } from '../domain/blend/carry-forward.js';
import { type CalendarDate, dayNumber } from '../domain/dates.js';

// PostgreSQL's binary format, as used by COPY and by functions such as array_send.

// PostgreSQL counts days from 2000-01-01.
const POSTGRES_EPOCH_DAY = 10_957;

/** A DATE field as days since 1970-01-01. */
export function readDay(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset) + POSTGRES_EPOCH_DAY;
}

// The same epoch for instants, which are in microseconds.
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** A TIMESTAMPTZ field as whole milliseconds since 1970. */
export function readInstant(bytes: Buffer, offset: number): number {
  return Math.floor(Number(bytes.readBigInt64BE(offset)) / 1000) + POSTGRES_EPOCH_MS;
}

/** A text field of a tuple. The four bytes before it hold its length. */
export function readText(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + bytes.readInt32BE(offset - 4));
}

const shared = new Map<string, string>();

/** A text field, whose string is shared, as millions of rows have a few hundred codes and keys. */
export function readShared(bytes: Buffer, offset: number): string {
  const text = readText(bytes, offset);
  const known = shared.get(text);
  if (known === undefined) shared.set(text, text);
  return known ?? text;
}

// The header of an array: number of dimensions, a flag, the element type, and the length and first index of the only
// dimension. Each element follows with its length before it (array_send in PostgreSQL's source).
const ARRAY_HEADER_LENGTH = 20;
const ARRAY_LENGTH_AT = 12;
const LENGTH_BYTES = 4;
const INTEGER_BYTES = 4;
const DOUBLE_BYTES = 8;

/** The offset of an element of an array whose elements have this many bytes. */
function elementAt(array: number, index: number, bytes: number): number {
  return array + ARRAY_HEADER_LENGTH + LENGTH_BYTES + index * (bytes + LENGTH_BYTES);
}

/** When a rate was recorded, in milliseconds since 1970, and by which run; 0 if unknown. */
export interface RateRecord {
  at: number;
  run: number;
}

/** Rates with their day numbers. Only valid during the call. */
export type DatedRates = ReturnType<typeof datedRates>;

/**
 * The elements of a DATE and a DOUBLE PRECISION array, neither empty nor with nulls, and with `records` also those of a
 * TIMESTAMPTZ and an INTEGER array.
 */
export function datedRates(
  bytes: Buffer,
  { dates, rates, records }: { dates: number; rates: number; records?: { instants: number; runs: number } },
) {
  const length = bytes.readInt32BE(dates + ARRAY_LENGTH_AT);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const recordAt = (index: number): RateRecord | undefined =>
    records && {
      at: readInstant(bytes, elementAt(records.instants, index, DOUBLE_BYTES)),
      run: view.getInt32(elementAt(records.runs, index, INTEGER_BYTES)),
    };
  return {
    length,
    /** Day numbers, in no particular order. */
    each(take: (day: number, rate: number, record: RateRecord | undefined) => void): void {
      for (let index = 0; index < length; index++) {
        const day = view.getInt32(elementAt(dates, index, INTEGER_BYTES)) + POSTGRES_EPOCH_DAY;
        take(day, view.getFloat64(elementAt(rates, index, DOUBLE_BYTES)), recordAt(index));
      }
    },
  };
}

const LENGTH_OF_NULL = -1;
/** Of the fields of a row: a provider key, two codes, a day, three numbers, an instant and a run, each with its length. */
const LONGEST_ROW = 128;

/** Rows for a binary COPY (https://www.postgresql.org/docs/current/sql-copy.html): each `start`, then its fields in order. */
export class CopyRows {
  readonly #fields: number;
  #bytes = Buffer.allocUnsafe(64 * LONGEST_ROW);
  #at = 0;
  // Millions of rows have few distinct dates.
  readonly #days = new Map<CalendarDate, number>();

  constructor(fields: number) {
    this.#fields = fields;
  }

  start(): void {
    if (this.#bytes.length - this.#at < LONGEST_ROW) {
      const grown = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(grown, 0, 0, this.#at);
      this.#bytes = grown;
    }
    this.#at = this.#bytes.writeInt16BE(this.#fields, this.#at);
  }

  /** Starts a row with the key and the rate of a row of `rates`. */
  startRate({ provider, date, base, quote, rate }: RawRow): void {
    this.start();
    this.text(provider);
    this.date(date);
    this.text(base);
    this.text(quote);
    this.double(rate);
  }

  /** Writes ASCII of at most 16 characters. */
  text(text: string): void {
    this.#length(text.length);
    for (let index = 0; index < text.length; index++) this.#bytes[this.#at++] = text.charCodeAt(index);
  }

  date(date: CalendarDate): void {
    let day = this.#days.get(date);
    if (day === undefined) {
      day = dayNumber(date) - POSTGRES_EPOCH_DAY;
      this.#days.set(date, day);
    }
    this.integer(day);
  }

  integer(value: number): void {
    this.#length(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  /** Writes a DOUBLE PRECISION, or null if it is undefined. */
  double(value: number | undefined): void {
    this.#length(value === undefined ? LENGTH_OF_NULL : DOUBLE_BYTES);
    if (value !== undefined) this.#at = this.#bytes.writeDoubleBE(value, this.#at);
  }

  /** Writes milliseconds since 1970 as a TIMESTAMPTZ. */
  instant(milliseconds: number): void {
    this.#length(8);
    this.#at = this.#bytes.writeBigInt64BE(BigInt(milliseconds - POSTGRES_EPOCH_MS) * 1000n, this.#at);
  }

  /** Returns the rows written since the last call. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafe(this.#bytes.length);
    this.#at = 0;
    return taken;
  }

  #length(bytes: number): void {
    this.#at = this.#bytes.writeInt32BE(bytes, this.#at);
  }
}
