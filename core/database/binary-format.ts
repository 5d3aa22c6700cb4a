// Reads values in PostgreSQL's binary format, as COPY and functions such as array_send give them.

// PostgreSQL counts its days from 2000-01-01.
const POSTGRES_EPOCH_DAY = 10_957;

/** A DATE field as days since 1970-01-01. */
export function readDay(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset) + POSTGRES_EPOCH_DAY;
}

// The same for instants, in microseconds.
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** A TIMESTAMPTZ field as whole milliseconds since 1970. */
export function readInstant(bytes: Buffer, offset: number): number {
  return Math.floor(Number(bytes.readBigInt64BE(offset)) / 1000) + POSTGRES_EPOCH_MS;
}

/** A text field of a tuple; the four bytes before it are its length. */
export function readText(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + bytes.readInt32BE(offset - 4));
}

const codes = new Map<number, string>();

/** A text field with a currency code: rows by the million share the texts of a few hundred codes. */
export function readCode(bytes: Buffer, offset: number): string {
  const key = bytes.readUIntBE(offset, 3);
  const known = codes.get(key);
  if (known !== undefined) return known;
  const code = readText(bytes, offset);
  codes.set(key, code);
  return code;
}

// An array: the number of dimensions, a flag, the type, and for its one dimension length and first index; then each
// element with its length before it (PostgreSQL's source, array_send).
const ARRAY_HEADER_LENGTH = 20;
const ARRAY_LENGTH_AT = 12;
const LENGTH_BYTES = 4;
const DATE_BYTES = 4;
const DOUBLE_BYTES = 8;

/** The number of elements of an array of one dimension. */
export function arrayLength(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset + ARRAY_LENGTH_AT);
}

/**
 * Calls back with the elements of an array of DATE, as days since 1970-01-01, and of one of DOUBLE PRECISION, pair by
 * pair. Both begin at an offset, and neither is empty or has nulls.
 */
export function readDatedDoubles(
  bytes: Buffer,
  dates: number,
  doubles: number,
  element: (day: number, value: number) => void,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let dateAt = dates + ARRAY_HEADER_LENGTH + LENGTH_BYTES;
  let doubleAt = doubles + ARRAY_HEADER_LENGTH + LENGTH_BYTES;
  for (let left = arrayLength(bytes, dates); left > 0; left--) {
    element(view.getInt32(dateAt) + POSTGRES_EPOCH_DAY, view.getFloat64(doubleAt));
    dateAt += DATE_BYTES + LENGTH_BYTES;
    doubleAt += DOUBLE_BYTES + LENGTH_BYTES;
  }
}
