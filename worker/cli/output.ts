import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RunCounts } from '../../core/database/ingest-runs.js';
import { plainDecimal } from '../../core/domain/rounding.js';
import type { RateRow } from '../feeds/feed.js';

/** Writes lines with back-pressure. Throws if the reader has closed the output. */
export async function printLines(output: Writable, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(withLineEnds(lines)), output, { end: false });
}

function* withLineEnds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** Formats rates, one per line: `["2026-03-02","EUR","USD",1.0845]`, with buy and sell after the rate if it has them. */
export function* rateLines(rows: Iterable<RateRow>): Generator<string> {
  for (const { date, base, quote, rate, buy = null, sell = null } of rows) {
    const sides = buy === null && sell === null ? [] : [buy, sell];
    yield JSON.stringify([date, base, quote, rate, ...sides]);
  }
}

/** The rows that were stored, and those that were not, by reason. */
export function countsText(
  { rowsNew, rowsCorrected, rowsUnchanged }: Omit<RunCounts, 'rowsDropped'>,
  dropped: Readonly<Record<string, number>>,
): string {
  const reasons = Object.entries(dropped).map(([reason, count]) => `, ${count} dropped (${reason})`);
  return `${rowsNew} new, ${rowsCorrected} corrected, ${rowsUnchanged} unchanged${reasons.join('')}`;
}

type Cells = readonly (string | number)[];

/** Prints rows under their titles with aligned columns. Numbers, and blanks among them, are aligned right. */
export async function printTable(output: Writable, titles: Cells, rows: readonly Cells[]): Promise<void> {
  await printLines(output, tableLines(titles, rows));
}

function textOf(cell: string | number): string {
  return typeof cell === 'number' ? plainDecimal(cell) : cell;
}

function* tableLines(titles: Cells, rows: readonly Cells[]): Generator<string> {
  const table = [titles, ...rows];
  const pads = titles.map((_, column) => {
    const width = Math.max(...table.map((row) => textOf(row[column] ?? '').length));
    const isNumeric =
      rows.length > 0 && rows.every((row) => typeof row[column] === 'number' || row[column] === '');
    return (cell: string | number) => textOf(cell)[isNumeric ? 'padStart' : 'padEnd'](width);
  });
  for (const row of table) {
    yield row
      .map((cell, column) => pads[column]?.(cell))
      .join('  ')
      .trimEnd();
  }
}
