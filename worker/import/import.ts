import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyEnd, copyStart, createCopyEncoder } from '../../core/database/copy-in.js';
import { type Database, withTransaction } from '../../core/database/database.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { lockData } from '../blend/data-version.js';
import { validate } from '../feeds/validate.js';
import { type Coverage, cover, extendCoverage } from '../ingest/coverage.js';
import { knowProviders, type MergeResult, mergeRates } from '../ingest/merge.js';
import { blendChanged } from '../ingest/store.js';
import { readCsv } from './csv.js';
import { dropIndexes } from './indexes.js';

export interface ImportResult {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Rows left out by validation: how many for each reason. */
  rowsDropped: Record<string, number>;
  /** The data version that it made, undefined where every row was known already. */
  version: bigint | undefined;
}

export type ImportProgress =
  | { step: 'reading'; rows: number }
  | { step: 'storing' }
  | { step: 'blending'; done: number; total: number };

export interface ImportOptions {
  today: CalendarDate;
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * Imports a CSV file of rates, `provider,date,base,quote,rate` with that header, of any size, and blends what it
 * changes, in one transaction. Rows that feeds would not be allowed to store are dropped and counted; of two rows
 * with one key the first counts. Throws a CsvError that names the line where the file can't be read.
 */
export async function importRates(
  database: Pick<Database, 'pool'>,
  csv: AsyncIterable<Uint8Array | string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const lots = readCsv(csv);
  try {
    // A file that can't be opened or has no header fails here, before anybody has to wait for it.
    await lots.next();
    return await withTransaction(database.pool, async (client) => {
      await lockData(client);
      return importInto(client, lots, options);
    });
  } finally {
    await lots.return(undefined);
  }
}

/** The same for lots of rows, which it may change, inside the caller's transaction, which holds the lock. */
export async function importInto(
  client: pg.PoolClient,
  lots: AsyncIterable<RawRow[]>,
  { today, onProgress = () => {} }: ImportOptions,
): Promise<ImportResult> {
  await client.query("set local statement_timeout = 0; set local work_mem = '128MB'");
  const coverage: Coverage = new Map();
  const counts = { kept: 0, dropped: {} as Record<string, number> };
  async function* validLots(): AsyncGenerator<RawRow[]> {
    let read = 0;
    for await (const rows of lots) {
      read += rows.length;
      const valid = validRows(rows, today, counts.dropped);
      counts.kept += valid.length;
      for (const row of valid) {
        cover(coverage, row.provider, row);
        row.rate = roundForStorage(row.rate);
      }
      yield valid;
      onProgress({ step: 'reading', rows: read });
    }
  }
  const merged = (await isEmpty(client))
    ? await fill(client, validLots(), () => onProgress({ step: 'storing' }))
    : await mergeLots(client, validLots(), () => onProgress({ step: 'storing' }));
  await knowProviders(client, [...coverage.keys()]);
  await extendCoverage(client, coverage);
  const version = await blendChanged(client, merged.changedDates, undefined, (done, total) =>
    onProgress({ step: 'blending', done, total }),
  );
  return {
    rowsNew: merged.rowsNew,
    rowsCorrected: merged.rowsCorrected,
    rowsUnchanged: counts.kept - merged.rowsNew - merged.rowsCorrected,
    rowsDropped: counts.dropped,
    version,
  };
}

/** Whether no rates are stored at all. */
export async function isEmpty(client: pg.PoolClient): Promise<boolean> {
  const { rowCount } = await client.query('select from rates limit 1');
  return rowCount === 0;
}

function validRows(rows: RawRow[], today: CalendarDate, dropped: Record<string, number>): RawRow[] {
  const valid = validate(rows, { today });
  for (const [reason, count] of Object.entries(valid.dropped)) {
    dropped[reason] = (dropped[reason] ?? 0) + count;
  }
  if (valid.rows.length === rows.length) return rows;
  const kept = new Set<unknown>(valid.rows);
  return rows.filter((row) => kept.has(row));
}

async function fill(
  client: pg.PoolClient,
  lots: AsyncIterable<RawRow[]>,
  onRead: () => void,
): Promise<MergeResult> {
  const restoreIndexes = await dropIndexes(client);
  await copyInto(client, 'rates', lots);
  onRead();
  await restoreIndexes();
  await client.query('analyze rates');
  const { rows } = await client.query<{ date: CalendarDate; count: number }>(
    'select date, count(*)::int as count from rates group by date order by date',
  );
  return {
    rowsNew: rows.reduce((sum, { count }) => sum + count, 0),
    rowsCorrected: 0,
    changedDates: rows.map(({ date }) => date),
  };
}

async function mergeLots(
  client: pg.PoolClient,
  lots: AsyncIterable<RawRow[]>,
  onRead: () => void,
): Promise<MergeResult> {
  await client.query(
    'create temporary table imported on commit drop as select provider, date, base, quote, rate from rates with no data',
  );
  await copyInto(client, 'imported', lots);
  onRead();
  await client.query('analyze imported');
  // Rows lie in the order in which they were copied.
  return mergeRates(
    client,
    `select distinct on (provider, date, base, quote) provider, date, base, quote, rate
     from imported order by provider, date, base, quote, ctid`,
  );
}

async function copyInto(client: pg.PoolClient, table: string, lots: AsyncIterable<RawRow[]>): Promise<void> {
  await pipeline(
    encoded(lots),
    client.query(copyFrom(`copy ${table} (provider, date, base, quote, rate) from stdin (format binary)`)),
  );
}

async function* encoded(lots: AsyncIterable<RawRow[]>): AsyncGenerator<Buffer> {
  const encode = createCopyEncoder();
  yield copyStart;
  for await (const rows of lots) yield encode(rows);
  yield copyEnd;
}
