import type { BodyForm } from './form.js';
import { gridForm } from './grid-form.js';
import { isNumberText } from './values.js';

/** CSV and other text in lines: the lines from the first to the last one that has as many cells as most. */
export const csvForm: BodyForm = {
  ...gridForm({ changed, textOf: bare, cellOf: (text) => text }),
  numbersChanged: (text, change) =>
    changed(text, (rows) =>
      rows.map((row) => row.map((cell) => (isNumberText(bare(cell)) ? change(bare(cell)) : cell))),
    ),
  textsChanged: (text, change) => change(text),
};

function changed(text: string, change: (rows: string[][]) => string[][]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(end);
  const separator = separatorOf(lines);
  const rows = lines.map((line) => split(line, separator));
  const width = commonWidth(rows);
  const isOfTable = (row: readonly string[]) => row.length === width;
  const [first, last] = [rows.findIndex(isOfTable), rows.findLastIndex(isOfTable)];
  const table = change(rows.slice(first, last + 1)).map((row) => row.join(separator));
  return [...lines.slice(0, first), ...table, ...lines.slice(last + 1)].join(end);
}

function separatorOf(lines: readonly string[]): string {
  const sample = lines.slice(0, 40).join('\n');
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, sample.split(mark).length] as const);
  return counts.sort(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}

function split(line: string, separator: string): string[] {
  const cells = [''];
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) cells.push('');
    else cells.push(`${cells.pop()}${character}`);
  }
  return cells;
}

function commonWidth(rows: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 1;
}

function bare(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}
