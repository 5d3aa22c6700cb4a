import { madeUpRecordings } from '../recordings/made-up.js';
import { DAMAGES } from './damages.js';
import type { Cell, Outcome } from './matrix.js';

const LETTERS: Readonly<Record<Outcome, string>> = {
  error: 'E',
  counted: 'C',
  'no data': 'N',
  unaffected: 'U',
  undecidable: '?',
  'silent zero': '**zero**',
  'silent fewer': '**fewer**',
  'other values': '**values**',
  crash: '**crash**',
};

/** Feed by damage as a Markdown table, with how often each outcome occurred in the cell, and totals. */
export function tableOf(cells: readonly Cell[]): string {
  const feeds = [...new Set(cells.map(({ key }) => key))];
  const line = (name: string, some: readonly Cell[]) =>
    `| ${[name, ...DAMAGES.map((damage) => outcomes(some.filter((cell) => cell.damage === damage)))].join(' | ')} |\n`;
  return [
    `| feed | ${DAMAGES.join(' | ')} |\n`,
    `|---|${DAMAGES.map(() => '---|').join('')}\n`,
    ...feeds.map((key) =>
      line(
        madeUpRecordings.has(key) ? `${key} (made up)` : key,
        cells.filter((cell) => cell.key === key),
      ),
    ),
    line('all', cells),
    `\n${cells.length} damages: ${totals(cells)}.\n`,
  ].join('');
}

function outcomes(cells: readonly Cell[]): string {
  return counts(cells)
    .map(([outcome, count]) => `${LETTERS[outcome]}${count}`)
    .join(' ');
}

function totals(cells: readonly Cell[]): string {
  return counts(cells)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
}

function counts(cells: readonly Cell[]): [Outcome, number][] {
  const all = Object.keys(LETTERS) as Outcome[];
  return all
    .map((outcome): [Outcome, number] => [outcome, cells.filter((cell) => cell.outcome === outcome).length])
    .filter(([, count]) => count > 0);
}
