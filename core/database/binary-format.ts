// How PostgreSQL sends values in its binary form, within COPY and out of functions such as array_send.

// PostgreSQL counts its days from 2000-01-01.
const POSTGRES_EPOCH_DAY = 10_957;

/** A DATE field as days since 1970-01-01. */
export function readDay(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset) + POSTGRES_EPOCH_DAY;
}

/** A text field of a tuple; its length stands in the four bytes before it. */
export function readText(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + bytes.readInt32BE(offset - 4));
}

// An array: the number of dimensions, a flag, the type, and for its one dimension length and first index; then each
// element with its length before it (PostgreSQL's source, array_send).
const ARRAY_HEADER_LENGTH = 20;
const ARRAY_LENGTH_AT = 12;
const LENGTH_BYTES = 4;
const DATE_BYTES = 4;
const DOUBLE_BYTES = 8;

/** How many elements an array of one dimension has. */
export function arrayLength(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset + ARRAY_LENGTH_AT);
}

/** Where an array of DATE ends that begins at an offset and has no nulls. */
export function endOfDates(bytes: Buffer, offset: number): number {
  return offset + ARRAY_HEADER_LENGTH + arrayLength(bytes, offset) * (LENGTH_BYTES + DATE_BYTES);
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
  let here = dates + ARRAY_HEADER_LENGTH + LENGTH_BYTES;
  let there = doubles + ARRAY_HEADER_LENGTH + LENGTH_BYTES;
  for (let left = arrayLength(bytes, dates); left > 0; left--) {
    element(view.getInt32(here) + POSTGRES_EPOCH_DAY, view.getFloat64(there));
    here += DATE_BYTES + LENGTH_BYTES;
    there += DOUBLE_BYTES + LENGTH_BYTES;
  }
}
