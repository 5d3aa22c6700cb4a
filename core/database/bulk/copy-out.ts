import { to as copyTo } from 'pg-copy-streams';
import type { BulkTransaction } from '../transactions.js';

/** One tuple of a binary COPY: where its fields begin in `bytes`. */
export type Tuple = (bytes: Buffer, offsets: readonly number[]) => void;

// PostgreSQL's manual, "COPY", binary format: a signature, flags and an extension, then per tuple the number of
// fields and each field's length and bytes; -1 instead of a number ends it.
const SIGNATURE_LENGTH = 11;
const HEADER_LENGTH = SIGNATURE_LENGTH + 4 + 4;
const END = -1;

/**
 * Reads what a query selects through COPY, the fastest way out of PostgreSQL, and calls back for every tuple.
 * No field may be null. The query takes no parameters: what goes into it must be safe by its type.
 */
export async function copyOut({ client }: BulkTransaction, query: string, tuple: Tuple): Promise<void> {
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
