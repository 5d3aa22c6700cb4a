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

const codes = new Map<number, string>();

/** A currency code, whose string is shared, as millions of rows have a few hundred codes. */
export function readCode(bytes: Buffer, offset: number): string {
  const key = bytes.readUIntBE(offset, 3);
  const known = codes.get(key);
  if (known !== undefined) return known;
  const code = readText(bytes, offset);
  codes.set(key, code);
  return code;
}

// The header of an array: number of dimensions, a flag, the element type, and the length and first index of the only
// dimension. Each element follows with its length before it (array_send in PostgreSQL's source).
const ARRAY_HEADER_LENGTH = 20;
const ARRAY_LENGTH_AT = 12;
const LENGTH_BYTES = 4;
const DATE_BYTES = 4;
const DOUBLE_BYTES = 8;

/** Rates with their day numbers. Only valid during the call. */
export type DatedRates = ReturnType<typeof datedRates>;

/** The pairs of a DATE and a DOUBLE PRECISION array, neither empty nor with nulls. */
export function datedRates(bytes: Buffer, dates: number, rates: number) {
  const length = bytes.readInt32BE(dates + ARRAY_LENGTH_AT);
  return {
    length,
    /** Day numbers, in no particular order. */
    each(rate: (day: number, rate: number) => void): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let dateAt = dates + ARRAY_HEADER_LENGTH + LENGTH_BYTES;
      let rateAt = rates + ARRAY_HEADER_LENGTH + LENGTH_BYTES;
      for (let left = length; left > 0; left--) {
        rate(view.getInt32(dateAt) + POSTGRES_EPOCH_DAY, view.getFloat64(rateAt));
        dateAt += DATE_BYTES + LENGTH_BYTES;
        rateAt += DOUBLE_BYTES + LENGTH_BYTES;
      }
    },
  };
}
