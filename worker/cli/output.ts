import { once } from 'node:events';
import type { Writable } from 'node:stream';
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

/** Rates as they are printed: `["2026-03-02","EUR","USD",1.0845]`, one a line. */
export function* rateLines(rows: Iterable<RateRow>): Generator<string> {
  for (const { date, base, quote, rate } of rows) yield JSON.stringify([date, base, quote, rate]);
}

/** Aligns the cells of each column; numbers to the right. The first row has the titles. */
export function* tableLines(rows: readonly (readonly (string | number)[])[]): Generator<string> {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, String(cell).length);
    }
  }
  const numeric = widths.map((_, column) => rows.slice(1).every((row) => typeof row[column] === 'number'));
  for (const row of rows) {
    yield row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return numeric[column] && rows.length > 1 ? String(cell).padStart(width) : String(cell).padEnd(width);
      })
      .join('  ')
      .trimEnd();
  }
}
