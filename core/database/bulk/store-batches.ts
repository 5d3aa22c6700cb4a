import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { RawRow } from '../../domain/blend/carry-forward.js';
import type { CalendarDate } from '../../domain/dates.js';
import { copyEnd, copyStart, createCopyEncoder } from '../binary-format.js';
import { hasRates, type Upserted, upsertSelected } from '../rates.js';
import { readRecordingInstant } from '../recording-instant.js';
import { sql } from '../sql.js';
import type { Transaction } from '../transactions.js';
import { dropIndexes } from './indexes.js';

/** Upserts in batches, the first of rows with the same key. Calls back when all are read. Needs the data lock. */
export async function storeBatches(
  transaction: Transaction,
  batches: AsyncIterable<readonly RawRow[]>,
  onRead: () => void,
): Promise<Upserted> {
  await transaction.execute(sql`set local work_mem = '128MB'`);
  return (await hasRates(transaction))
    ? upsertBatches(transaction, batches, onRead)
    : fillEmptyTable(transaction, batches, onRead);
}

async function fillEmptyTable(
  transaction: Transaction,
  batches: AsyncIterable<readonly RawRow[]>,
  onRead: () => void,
): Promise<Upserted> {
  const restoreIndexes = await dropIndexes(transaction);
  await copyInto(transaction, 'rates', batches, await readRecordingInstant(transaction));
  onRead();
  await restoreIndexes();
  await transaction.execute(sql`analyze rates`);
  const rows = await transaction.query<{ date: CalendarDate; count: number }>(
    sql`select date::text, count(*)::int as count from rates group by rates.date order by rates.date`,
  );
  return {
    rowsNew: rows.reduce((sum, { count }) => sum + count, 0),
    rowsCorrected: 0,
    changedDates: rows.map(({ date }) => date),
  };
}

async function upsertBatches(
  transaction: Transaction,
  batches: AsyncIterable<readonly RawRow[]>,
  onRead: () => void,
): Promise<Upserted> {
  await transaction.execute(
    sql`create temporary table imported on commit drop as
        select provider, date, base, quote, rate from rates with no data`,
  );
  await copyInto(transaction, 'imported', batches);
  onRead();
  await transaction.execute(sql`analyze imported`);
  // `ctid` reflects the order in which the rows were copied.
  return upsertSelected(
    transaction,
    sql`select distinct on (provider, date, base, quote) provider, date, base, quote, rate
        from imported order by provider, date, base, quote, ctid`,
  );
}

async function copyInto(
  { client }: Transaction,
  table: 'rates' | 'imported',
  batches: AsyncIterable<readonly RawRow[]>,
  recordedAt?: number,
): Promise<void> {
  const columns = `provider, date, base, quote, rate${recordedAt === undefined ? '' : ', recorded_at'}`;
  await pipeline(
    encoded(batches, recordedAt),
    client.query(copyFrom(`copy ${table} (${columns}) from stdin (format binary)`)),
  );
}

async function* encoded(
  batches: AsyncIterable<readonly RawRow[]>,
  recordedAt: number | undefined,
): AsyncGenerator<Buffer> {
  const encode = createCopyEncoder(recordedAt);
  yield copyStart;
  for await (const rows of batches) yield encode(rows);
  yield copyEnd;
}
