import type { PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** One tuple of a binary COPY: where its fields begin in `bytes`. */
export type Tuple = (bytes: Buffer, offsets: readonly number[]) => void;

// PostgreSQL's manual, "COPY", binary format: a signature, flags and an extension, then per tuple the number of
// fields and each field's length and bytes; -1 instead of a number ends it.
const SIGNATURE_LENGTH = 11;
const HEADER_LENGTH = SIGNATURE_LENGTH + 4 + 4;
const END = -1;
// PostgreSQL counts its days from 2000-01-01.
const POSTGRES_EPOCH_DAY = 10_957;

/**
 * Reads what a query selects through COPY, the fastest way out of PostgreSQL, and calls back for every tuple.
 * No field may be null. The query takes no parameters: what goes into it must be safe by its type.
 */
export async function copyOut(client: PoolClient, query: string, tuple: Tuple): Promise<void> {
  const stream = client.query(copyTo(`copy (${query}) to stdout (format binary)`));
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let position = 0;
    if (!started) {
      if (bytes.length < HEADER_LENGTH) {
        rest = bytes;
        continue;
      }
      position = HEADER_LENGTH + bytes.readInt32BE(SIGNATURE_LENGTH + 4);
      started = true;
    }
    rest = bytes.subarray(readTuples(bytes, position, tuple));
  }
}

/** A DATE field as days since 1970-01-01. */
export function readDay(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset) + POSTGRES_EPOCH_DAY;
}

/** A text field; its length stands in the four bytes before it. */
export function readText(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + bytes.readInt32BE(offset - 4));
}

// An array: the number of dimensions, a flag, the type, and for its one dimension length and first index; then each
// element with its length before it (PostgreSQL's source, array_send).
const ARRAY_HEADER_LENGTH = 20;
const ARRAY_LENGTH_AT = 12;

/** How many elements an array field of one dimension has. */
export function arrayLength(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset + ARRAY_LENGTH_AT);
}

/**
 * Run before a long history is aggregated into arrays, in the same transaction: in the few megabytes that a query has
 * by default they go over the disk, which takes longer than all the rest.
 */
export const ROOM_FOR_ARRAYS = `set local work_mem = '256MB'`;

const LENGTH_BYTES = 4;
const DATE_BYTES = 4;
const DOUBLE_BYTES = 8;

/**
 * Calls back with the elements of an array field of DATE, as days since 1970-01-01, and of one of DOUBLE PRECISION,
 * pair by pair. Neither is empty or has nulls.
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

/** Reads the tuples that are complete and returns where the first incomplete one begins. */
function readTuples(bytes: Buffer, from: number, tuple: Tuple): number {
  const offsets: number[] = [];
  let start = from;
  while (start + 2 <= bytes.length) {
    const fields = bytes.readInt16BE(start);
    if (fields === END) return bytes.length;
    let position = start + 2;
    for (let field = 0; field < fields; field++) {
      if (position + 4 > bytes.length) return start;
      offsets[field] = position + 4;
      position += 4 + bytes.readInt32BE(position);
    }
    if (position > bytes.length) return start;
    tuple(bytes, offsets);
    start = position;
  }
  return start;
}
