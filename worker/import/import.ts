import type { Database } from '../../core/database/database.js';
import type { RunCounts } from '../../core/database/ingest-runs.js';
import { lockData } from '../../core/database/locks.js';
import { storeRates } from '../../core/database/store-rates.js';
import { inBulkTransaction, type Transaction } from '../../core/database/transactions.js';
import { type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { isExcepted, providerOf } from '../../core/domain/providers.js';
import type { SidedRow } from '../../core/domain/sides.js';
import type { ShowProgress } from '../../core/process/progress.js';
import { blendChanged } from '../blend/blend-changed.js';
import { renewBlends } from '../blend/reblend.js';
import { validate } from '../feeds/validate.js';

export interface ImportResult extends RunCounts {
  /** The number of suspect rows that are held back from the blend. */
  rowsHeldBack: number;
  /** The new data version; undefined if all rows were stored already. */
  version: bigint | undefined;
}

interface ImportOptions {
  today: CalendarDate;
  /** The steps are `reading`, with the number of rows read, `storing` and `blending`. */
  onProgress?: ShowProgress;
}

/**
 * Imports a CSV file of rates and blends what it changes, in one transaction. Drops and counts invalid rows; of rows with the
 * same key the first counts. Throws an error that names the invalid line.
 */
export async function importRates(
  database: Database,
  csv: AsyncIterable<Uint8Array | string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const batches = readCsv(csv);
  try {
    // A file that can't be opened or has no header fails here, before the transaction takes the data lock.
    await batches.next();
    await renewBlends(database);
    return await inBulkTransaction(database, async (transaction) => {
      await lockData(transaction);
      return importInto(transaction, batches, options);
    });
  } finally {
    await batches.return(undefined);
  }
}

/** In the transaction of the caller, which holds the data lock. */
async function importInto(
  transaction: Transaction,
  batches: AsyncIterable<SidedRow[]>,
  { today, onProgress = () => {} }: ImportOptions,
): Promise<ImportResult> {
  const given = new Set<string>();
  const counts = { kept: 0, dropped: {} as Record<string, number> };
  async function* validBatches(): AsyncGenerator<SidedRow[]> {
    let read = 0;
    for await (const rows of batches) {
      read += rows.length;
      const valid = validRows(rows, today, counts.dropped);
      counts.kept += valid.length;
      for (const { provider } of valid) given.add(provider);
      yield valid;
      onProgress('reading', read);
    }
    onProgress('storing');
  }
  const stored = await storeRates(transaction, validBatches());
  const { version, suspects } = await blendChanged(
    transaction,
    { dates: stored.changedDates, providers: [...given] },
    (done, total) => onProgress('blending', done, total),
  );
  return {
    rowsNew: stored.rowsNew,
    rowsCorrected: stored.rowsCorrected,
    rowsUnchanged: counts.kept - stored.rowsNew - stored.rowsCorrected,
    rowsDropped: counts.dropped,
    rowsHeldBack: suspects.filter(({ status }) => status === 'held').length,
    version,
  };
}

/** The valid rows of providers that are not excepted, by provider. Counts the others in `dropped`. */
function validRows(
  rows: readonly SidedRow[],
  today: CalendarDate,
  dropped: Record<string, number>,
): SidedRow[] {
  return [...groupBy(rows, ({ provider }) => provider)].flatMap(([provider, own]) => {
    const valid = isExcepted(provider)
      ? { rows: [], dropped: { excepted: own.length } }
      : validate(own, { today, provider });
    for (const [reason, count] of Object.entries(valid.dropped))
      dropped[reason] = (dropped[reason] ?? 0) + count;
    return valid.rows;
  });
}

export const HEADER = 'provider,date,base,quote,rate';
const HEADER_WITH_SIDES = `${HEADER},buy,sell`;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads rates from a CSV file in batches, with sides if its header names them, without quoting; lines that start with #
 * are comments. The first batch is empty and comes once the header was checked. Throws an error for a missing header,
 * an invalid line, and a last line without its end.
 */
async function* readCsv(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<SidedRow[]> {
  let fields = 0;
  let number = 0;
  for await (const lines of readLines(bytes)) {
    const rows: SidedRow[] = [];
    for (const line of lines) {
      number++;
      if (line.startsWith('#')) continue;
      if (fields > 0) {
        if (line !== '') rows.push(readRow(line, number, fields));
        continue;
      }
      fields = fieldsOf(line, number);
      yield [];
    }
    if (rows.length > 0) yield rows;
  }
  if (fields === 0) fieldsOf('', number + 1);
}

/** The number of fields of each line. */
function fieldsOf(header: string, number: number): number {
  if (header !== HEADER && header !== HEADER_WITH_SIDES)
    throw new Error(`line ${number}: expected the header ${HEADER} or ${HEADER_WITH_SIDES}`);
  return header.split(',').length;
}

async function* readLines(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    const lines = text.split('\n');
    rest = lines.pop() ?? '';
    yield text.includes('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines;
  }
  if (rest !== '') {
    throw new Error('the last line has no newline: the file was cut short, or needs one');
  }
}

function readRow(line: string, number: number, expected: number): SidedRow {
  const fields = line.split(',');
  const [provider = '', date = '', base = '', quote = '', rate = '', buy = '', sell = ''] = fields;
  if (fields.length !== expected) {
    throw new Error(`line ${number}: expected ${expected} fields, found ${fields.length}`);
  }
  if (!providerOf(provider) && !isExcepted(provider))
    throw new Error(
      `line ${number}: unknown provider ${JSON.stringify(provider)}; your own key needs a file in SOURCES_DIR`,
    );
  if (!isCalendarDate(date)) throw new Error(`line ${number}: not a date: ${JSON.stringify(date)}`);
  const row: SidedRow = { provider, date, base, quote, rate: readPrice(rate, number) };
  if (buy !== '') row.buy = readPrice(buy, number);
  if (sell !== '') row.sell = readPrice(sell, number);
  return row;
}

function readPrice(text: string, number: number): number {
  if (!NUMBER.test(text)) throw new Error(`line ${number}: not a rate: ${JSON.stringify(text)}`);
  return Number(text);
}
