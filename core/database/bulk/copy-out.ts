import { to as copyTo } from 'pg-copy-streams';
import { type Sql, withLiterals } from '../sql.js';
import type { Transaction } from '../transactions.js';

type Four = [number, number, number, number];
/** The offsets of a tuple's fields, at most thirteen. Meaningless beyond its fields. */
export type Offsets = readonly [...Four, ...Four, ...Four, number];

type Tuple = (bytes: Buffer, offsets: Offsets) => void;

// PostgreSQL's manual, "COPY", binary format: a signature, flags and an extension, then for each tuple the number of fields
// and the length and bytes of each field. A number of -1 ends it.
const SIGNATURE_LENGTH = 11;
const HEADER_LENGTH = SIGNATURE_LENGTH + 4 + 4;
const END = -1;

/** The memory for incomplete tuples at first. It doubles as needed. */
const FIRST_BYTES = 1 << 17;

/**
 * Calls back for every tuple of a query in COPY's binary format, the fastest way to read. The bytes are only valid during the
 * call. No field may be null.
 */
export async function copyOut({ client }: Transaction, query: Sql, tuple: Tuple): Promise<void> {
  const copy = copyTo(`copy (${withLiterals(query)}) to stdout (format binary)`);
  const chunks: AsyncIterable<Buffer> = client.query(copy);
  let held = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  let started = false;
  for await (const chunk of chunks) {
    if (length + chunk.length > held.length)
      held = Buffer.concat([held.subarray(0, length)], 2 * (length + chunk.length));
    length += chunk.copy(held, length);
    let position = 0;
    if (!started) {
      if (length < HEADER_LENGTH) continue;
      position = HEADER_LENGTH + held.readInt32BE(SIGNATURE_LENGTH + 4);
      started = true;
    }
    const end = readWhole(held.subarray(0, length), position, tuple);
    held.copyWithin(0, end, length);
    length -= end;
  }
}

/** Lifts all time limits of a transaction that reads for long with pauses. */
export async function liftTimeLimits({ client }: Transaction): Promise<void> {
  await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
}

/** Reads the complete tuples, and returns the offset of the first incomplete one. */
function readWhole(bytes: Buffer, from: number, tuple: Tuple): number {
  const offsets = new Array<number>(13).fill(0) as [...Offsets];
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
