import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { GrowingCoverage } from '../../core/database/coverage.js';
import type { ShippedFile } from '../../core/database/shipped-rates.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import type { DateRange } from '../../core/domain/periods.js';

const EXTENSION = '.csv.gz';
const DATE_LENGTH = 'YYYY-MM-DD'.length;

/**
 * The shipped rates of one source, as CSV text: the header is `date` and a column for each pair, such as `EUR/USD`. Each line
 * below has the rates of a day, empty for a pair without one, the newest day first.
 */
export interface ShippedTable extends ShippedFile {
  from: CalendarDate;
  text: string;
}

/** Reads the tables of a folder, each named by its source's key, in the order of the keys. */
export async function readShippedTables(folder: string): Promise<ShippedTable[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort();
  return Promise.all(names.map((name) => readTable(folder, name)));
}

async function readTable(folder: string, name: string): Promise<ShippedTable> {
  const bytes = await promisify(gunzip)(await readFile(join(folder, name)));
  const text = bytes.toString('latin1');
  const [first, last] = [text.indexOf('\n') + 1, text.lastIndexOf('\n', text.length - 2) + 1];
  return {
    provider: name.slice(0, -EXTENSION.length),
    from: text.slice(last, last + DATE_LENGTH),
    to: text.slice(first, first + DATE_LENGTH),
    url: `shipped:${name}`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    text,
  };
}

/** The rows of a table from the day `from` up to the day before `before`. */
export function* shippedRows(
  { provider, text }: ShippedTable,
  from: CalendarDate,
  before: CalendarDate,
): Generator<RawRow> {
  const pairs = pairsOf(text);
  for (const { date, line } of days(text)) {
    if (date < from) continue;
    if (date >= before) return;
    const cells = line.split(',');
    for (const [index, { base, quote }] of pairs.entries()) {
      const cell = cells[index + 1];
      if (cell) yield { provider, date, base, quote, rate: Number(cell) };
    }
  }
}

/** The first and the last day of each pair of the tables. */
export function coverageOf(tables: readonly ShippedTable[]): GrowingCoverage {
  return new Map(tables.map(({ provider, text }) => [provider, spansOf(text)]));
}

function spansOf(text: string): Map<string, DateRange> {
  const pairs = pairsOf(text).map(({ base, quote }) => `${base} ${quote}`);
  const spans = new Map<string, DateRange>();
  for (const { date, line } of days(text)) {
    let at = DATE_LENGTH;
    for (const pair of pairs) {
      const end = line.indexOf(',', at + 1);
      // Splitting the lines of all decades would take three times as long.
      const isEmpty = (end < 0 ? line.length : end) === at + 1;
      at = end;
      if (isEmpty) continue;
      const span = spans.get(pair);
      if (span) span.to = date;
      else spans.set(pair, { from: date, to: date });
    }
  }
  return spans;
}

function pairsOf(text: string): { base: string; quote: string }[] {
  const [, ...pairs] = text.slice(0, text.indexOf('\n')).split(',');
  return pairs.map((pair) => ({ base: pair.slice(0, 3), quote: pair.slice(4) }));
}

/** The lines of the days from the oldest to the newest. */
function* days(text: string): Generator<{ date: CalendarDate; line: string }> {
  const header = text.indexOf('\n');
  for (let end = text.length - 1; end > header; ) {
    const at = text.lastIndexOf('\n', end - 1) + 1;
    yield { date: text.slice(at, at + DATE_LENGTH), line: text.slice(at, end) };
    end = at - 1;
  }
}
