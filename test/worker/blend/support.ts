import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Database } from '../../../core/database/database.js';
import { lockData } from '../../../core/database/locks.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { daysToPick, onOrBefore } from '../../../core/domain/day-pick.js';
import { verify } from '../../../core/domain/receipt/verify.js';
import { createReceipts } from '../../../src/rates/receipts/receipts.js';
import { loadSnapshot } from '../../../src/rates/snapshot/snapshot.js';
import { openRawStore } from '../../../src/rates/sources/raw-store.js';
import { writeShippedTables } from '../../../tools/bootstrap/shipped-table.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import type { LoadedPart } from '../../../worker/import/shipped-rates.js';
import { lookUpsOf, reader } from '../../src/rates/sources/in-memory.js';
import { loadAll, shippedIn } from '../../support/shipped-rates.js';
import { HEADER, importLines } from '../import/support.js';
import { dollars, feedOf, ingestFrom } from '../ingest/support.js';

/** Fills an empty database with lines of provider, date, base, quote and rate as the shipped rates. */
export async function loadAsShipped(database: Database, lines: readonly string[]): Promise<LoadedPart[]> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-shipped-'));
  const rows = lines.map((line) => {
    const [provider = '', date = '', base = '', quote = '', rate] = line.split(',');
    return { provider, date, base, quote, rate: Number(rate) };
  });
  await writeShippedTables(folder, rows);
  return loadAll(database, shippedIn(folder)).finally(() => rm(folder, { recursive: true }));
}

/** Gives receipts of the rates that are stored now, each of which proves its rate; undefined where there is no rate. */
export async function openReceipts(database: Database) {
  const raw = openRawStore(database);
  const snapshot = await inOneView(database, loadSnapshot);
  const make = createReceipts({ raw, database });
  const receiptOf = async (base: string, quote: string, day: number, tomorrow = day + 1) => {
    const source = { snapshot, providers: undefined };
    const days = daysToPick(onOrBefore(day));
    const lookUps = await lookUpsOf({ raw, snapshot, tomorrow }, { providers: undefined, days });
    const found = lookUps.find(base, quote, onOrBefore(day));
    if (!found) return undefined;
    const asOf = new Date(snapshot.knownAt).toISOString();
    const url = `/v2/rate/${base}/${quote}?date=${fromDayNumber(day)}&as_of=${asOf}&expand=receipt`;
    const pair = { base, quote, asked: day, columns: lookUps.columnsFor(base), found };
    const receipt = await make({ ...source, ...pair, url }, reader);
    expect(verify(JSON.stringify(receipt))).toMatchObject({ base, quote, rate: found.rate });
    return { receipt, rate: found.rate };
  };
  return { snapshot, receiptOf };
}

const feed = feedOf('ECB', [dollars('2026-03-09', 1.2)]);

/** Whatever stores the dollar of 9 March. */
export const STORING: [string, (database: Database) => Promise<unknown>][] = [
  ['an ingest', (database) => ingestFrom(database, feed)],
  ['an import', (database) => importLines(database, [HEADER, 'ECB,2026-03-09,EUR,USD,1.2'])],
];

/** Whatever changes rates or blends. */
export const WRITING: typeof STORING = [
  ...STORING,
  ['blending everything', (database) => rebuild(database)],
  ['any other transaction', (database) => inTransaction(database, lockData)],
];
