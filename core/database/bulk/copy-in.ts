import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Transaction } from '../transactions.js';

// PostgreSQL's manual, "COPY", binary format: a signature, flags and an extension, the rows, and -1 at the end.
const START = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = Buffer.from([0xff, 0xff]);

/** Inserts encoded rows (see `CopyRows`) through COPY, the fastest way to write. `table` may list columns. */
export async function copyIn(
  { client }: Transaction,
  table: string,
  rows: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> {
  await pipeline(framed(rows), client.query(copyFrom(`copy ${table} from stdin (format binary)`)));
}

async function* framed(rows: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield START;
  yield* rows;
  yield END;
}
