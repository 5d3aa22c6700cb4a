import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { SidedRow } from '../../domain/sides.js';
import { CopyRows } from '../binary-format.js';
import { type Upserted, upsertSelected } from '../rates.js';
import { sql } from '../sql.js';
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

/** Upserts in batches, the first of rows with the same key. Calls back when all are read. Needs the data lock. */
export async function storeBatches(
  transaction: Transaction,
  batches: AsyncIterable<readonly SidedRow[]>,
  onRead: () => void,
): Promise<Upserted> {
  await transaction.execute(sql`set local work_mem = '128MB'`);
  await transaction.execute(
    sql`create temporary table imported on commit drop as
        select provider, date, base, quote, rate, buy, sell from rates with no data`,
  );
  await copyIn(transaction, 'imported', encoded(batches));
  onRead();
  await transaction.execute(sql`analyze imported`);
  // `ctid` reflects the order in which the rows were copied.
  const stored = await upsertSelected(
    transaction,
    sql`select distinct on (provider, date, base, quote) *
        from imported order by provider, date, base, quote, ctid`,
  );
  await transaction.execute(sql`analyze rates`);
  return stored;
}

async function* encoded(batches: AsyncIterable<readonly SidedRow[]>): AsyncGenerator<Buffer> {
  const encoder = new CopyRows(7);
  for await (const rows of batches) {
    for (const row of rows) {
      encoder.startRate(row);
      encoder.double(row.buy);
      encoder.double(row.sell);
    }
    yield encoder.take();
  }
}
