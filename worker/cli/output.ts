import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import type { RateRow } from '../feeds/feed.js';

const CHUNK = 65_536;

/** Writes lines with back-pressure. Throws if the reader has closed the output. */
export async function printLines(output: Writable, lines: Iterable<string>): Promise<void> {
  for (const chunk of chunksOf(lines)) {
    if (!output.write(chunk)) await once(output, 'drain');
  }
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Formats rates, one per line: `["2026-03-02","EUR","USD",1.0845]`. */
export function* rateLines(rows: Iterable<RateRow>): Generator<string> {
  for (const { date, base, quote, rate } of rows) yield JSON.stringify([date, base, quote, rate]);
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
