import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Logger } from 'pino';
import { extendCoverage, type PairSpan } from '../../core/database/coverage.js';
import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { hasRates } from '../../core/database/rates.js';
import {
  insertShipped,
  readLoadedFrom,
  type ShippedFile,
  type ShippedPart,
  startShippedRuns,
} from '../../core/database/shipped-rates.js';
import { inBulkTransaction, inOneView, type Transaction } from '../../core/database/transactions.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import {
  addDays,
  type CalendarDate,
  type DateRange,
  daysBetween,
  later,
  unionOf,
} from '../../core/domain/dates.js';
import { isExcepted } from '../../core/domain/providers.js';
import { notifyParent } from '../../core/process/lifecycle.js';
import { shippedRatesFolder } from '../../core/process/project-files.js';
import type { Announcements } from '../../core/queues/announcements.js';
import { blendChanged } from '../blend/blend-changed.js';
import { blendFirst, type FirstBlends } from '../blend/blend-first.js';

/** A year, and what is carried forward to its first days. */
export const NEWEST_DAYS = 380;
const YEARS_OF_PART = 10;

export interface LoadedPart {
  /** Its first day. All later shipped rates are loaded. */
  from: CalendarDate;
  rowsNew: number;
  /** The new data version; undefined if all rates were recorded meanwhile. */
  version: bigint | undefined;
  isLast: boolean;
  /** The number of days that are loaded so far, and of all days. */
  days: { done: number; total: number };
  /** Milliseconds that it took. */
  ms: number;
}

interface LoadOptions {
  /** Whether to begin if the database is empty, or only to continue. */
  begins?: boolean;
  shipped?: () => Promise<ShippedRates | undefined>;
}

/** The shipped tables, with what is needed to load their newest year, which is ready before the database is. */
export interface ShippedRates {
  readonly tables: readonly ShippedTable[];
  /** The days of all tables, both included. */
  readonly span: DateRange;
  readonly newest: Part & { readonly rows: readonly RawRow[] };
  /** Those of the newest part, if they are computed in advance. */
  readonly blends?: FirstBlends;
  /** Of all parts, so that no list shows a shorter history for a while. */
  readonly coverage: readonly PairSpan[];
}

type Part = Pick<ShippedPart, 'rows' | 'from' | 'before'>;

/** Undefined if no rates of the providers are shipped. */
export async function readShippedRates(folder = shippedRatesFolder): Promise<ShippedRates | undefined> {
  const tables = (await readShippedTables(folder)).filter(({ provider }) => !isExcepted(provider));
  const span = unionOf(tables);
  if (!span) return undefined;
  const before = addDays(span.to, 1);
  const from = addDays(before, -NEWEST_DAYS);
  const newest = { rows: [...rowsBetween(tables, from, before)], from, before };
  return { tables, span, newest, coverage: tables.flatMap(spansOf) };
}

/** Like `readShippedRates`, with the newest part judged and blended, which uses the time until a new database responds. */
export async function readBlendedRates(): Promise<ShippedRates | undefined> {
  const shipped = await readShippedRates();
  return shipped && { ...shipped, blends: blendFirst(shipped.newest.rows) };
}

function* rowsBetween(
  tables: readonly ShippedTable[],
  from: CalendarDate,
  before: CalendarDate,
): Generator<RawRow> {
  for (const table of tables) yield* shippedRows(table, from, before);
}

/**
 * Fills an empty database with the shipped rates: the newest year first, then the years before, each part in its own
 * transaction. Yields each part once it is committed. Continues where another process stopped. Of concurrent processes, one at
 * a time loads a part. Yields nothing if the database has other rates already.
 */
export async function* loadShippedRates(
  database: Database,
  { begins = true, shipped = readShippedRates }: LoadOptions = {},
): AsyncGenerator<LoadedPart> {
  // Check without the lock first, as another worker that blends all history holds it for minutes.
  if (!(await inOneView(database, (view) => findNext(view, begins)))) return;
  const rates = await shipped();
  if (!rates) return;
  for (;;) {
    const started = performance.now();
    const part = await inBulkTransaction(database, async (transaction) => {
      await lockData(transaction);
      const next = await findNext(transaction, begins);
      return next && loadPart(transaction, rates, next);
    });
    if (part) yield { ...part, ms: Math.round(performance.now() - started) };
    if (!part || part.isLast) return;
  }
}

/** The day before which the next part ends, or the part with the newest days. Undefined if nothing is to be loaded. */
async function findNext(view: Transaction, begins: boolean): Promise<CalendarDate | 'newest' | undefined> {
  return (await readLoadedFrom(view)) ?? (begins && !(await hasRates(view)) ? 'newest' : undefined);
}

async function loadPart(
  transaction: Transaction,
  shipped: ShippedRates,
  next: CalendarDate | 'newest',
): Promise<Omit<LoadedPart, 'ms'>> {
  const { tables, span, newest, coverage } = shipped;
  const isFirst = next === 'newest';
  const providers = tables.map(({ provider }) => provider);
  if (isFirst) {
    await extendCoverage(transaction, coverage);
    await startShippedRuns(transaction, tables, newest.before);
  }
  const { from, before, rows } = isFirst ? newest : decadeBefore(tables, next);
  const isLast = span.from >= from;
  const { rowsNew, dates } = await insertShipped(transaction, { rows, from, before, isLast });
  const first = isFirst ? (shipped.blends ?? blendFirst(newest.rows)) : undefined;
  const { version } = await blendChanged(transaction, { dates, providers, first });
  const daysFrom = (day: CalendarDate) => daysBetween(day, span.to) + 1;
  return {
    from,
    rowsNew,
    version,
    isLast,
    days: { done: daysFrom(later(from, span.from)), total: daysFrom(span.from) },
  };
}

/** The decade that the day before belongs to, up to that day. */
function decadeBefore(tables: readonly ShippedTable[], before: CalendarDate): Part {
  const year = Number(addDays(before, -1).slice(0, 4));
  const from = `${year - (year % YEARS_OF_PART)}-01-01`;
  return { from, before, rows: rowsBetween(tables, from, before) };
}

const EXTENSION = '.csv.gz';
const DATE_LENGTH = 'YYYY-MM-DD'.length;

/**
 * The shipped rates of one source, as CSV text: the header is `date` and a column for each pair, such as `EUR/USD`. Each line
 * below has the rates of a day, empty for a pair without one, the newest day first.
 */
interface ShippedTable extends ShippedFile {
  from: CalendarDate;
  pairs: Pick<RawRow, 'base' | 'quote'>[];
  /** The lines of the days, the oldest first. */
  lines: string[];
}

/** Reads the tables of a folder, each named by its source's key, in the order of the keys. */
export async function readShippedTables(folder: string): Promise<ShippedTable[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort();
  return Promise.all(names.map((name) => readTable(folder, name)));
}

async function readTable(folder: string, name: string): Promise<ShippedTable> {
  const bytes = await promisify(gunzip)(await readFile(join(folder, name)));
  const [header = '', ...newestFirst] = bytes.toString('latin1').trimEnd().split('\n');
  const lines = newestFirst.reverse();
  return {
    provider: name.slice(0, -EXTENSION.length),
    from: dayOf(lines.at(0)),
    to: dayOf(lines.at(-1)),
    url: `shipped:${name}`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    pairs: pairsOf(header),
    lines,
  };
}

function pairsOf(header: string): ShippedTable['pairs'] {
  const [, ...pairs] = header.split(',');
  return pairs.map((pair) => ({ base: pair.slice(0, 3), quote: pair.slice(4) }));
}

function dayOf(line = ''): CalendarDate {
  return line.slice(0, DATE_LENGTH);
}

/** The rows of a table from the day `from` up to the day before `before`. */
export function* shippedRows(
  { provider, pairs, lines }: ShippedTable,
  from: CalendarDate,
  before: CalendarDate,
): Generator<RawRow> {
  for (const line of lines) {
    const date = dayOf(line);
    if (date < from) continue;
    if (date >= before) return;
    const cells = line.split(',');
    for (const [index, { base, quote }] of pairs.entries()) {
      const cell = cells[index + 1];
      if (cell) yield { provider, date, base, quote, rate: Number(cell) };
    }
  }
}

/** The first and the last day of each pair of a table. */
function spansOf({ provider, pairs, lines }: ShippedTable): PairSpan[] {
  const spans: PairSpan[] = pairs.map((pair) => ({ provider, ...pair, from: '', to: '' }));
  for (const line of lines) {
    let at = DATE_LENGTH;
    for (const span of spans) {
      const end = line.indexOf(',', at + 1);
      // Splitting the lines of all decades would take three times as long.
      const isEmpty = (end < 0 ? line.length : end) === at + 1;
      at = end;
      if (isEmpty) continue;
      span.from ||= dayOf(line);
      span.to = dayOf(line);
    }
  }
  return spans.filter(({ from }) => from !== '');
}

interface FirstRates {
  database: Database;
  /** Whether to fill an empty database, or only to continue. */
  begins: boolean;
  /** The shipped rates, if they are already read. */
  shipped?: ReturnType<typeof readShippedRates> | undefined;
  announcements: Pick<Announcements, 'publish'>;
  log: Logger;
}

/**
 * Loads the shipped rates, or those that are left. Announces the first part, which is the newest year, and the end, but no
 * decade between, as APIs copy all their days when they refresh.
 */
export async function loadFirstRates(first: FirstRates): Promise<void> {
  const { database, begins, announcements, log } = first;
  const shipped = () => first.shipped ?? readShippedRates();
  let newest: bigint | undefined;
  for await (const part of loadShippedRates(database, { begins, shipped })) {
    const isFirst = newest === undefined;
    newest = part.version ?? newest;
    if (newest !== undefined && (isFirst || part.isLast)) await announcements.publish(newest);
    notifyParent({ type: 'progress', what: 'rates', ...part.days, ms: part.ms });
    log.info({ from: part.from, rows: part.rowsNew, ms: part.ms }, 'loaded shipped rates');
  }
}
