import { FeedError } from '../feed.js';
import type { HttpAnswer } from '../http/client.js';

/** The index of the row with all these headings, compared case-insensitively. Throws a FeedError if there is none. */
export function headingRow(
  rows: readonly (readonly unknown[])[],
  columns: readonly string[],
  answer: HttpAnswer,
  where = 'table',
): number {
  const row = rows.findIndex((labels) => columns.every((column) => placeOf(column, labels) >= 0));
  if (row < 0)
    throw new FeedError(`${answer.url}: no row of the ${where} has the headings ${columns.join(', ')}`);
  return row;
}

/** The rows below these headings, as objects. Throws a FeedError if a heading is missing or occurs twice. */
export function recordsUnder<Column extends string, Cell>(
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
  answer: HttpAnswer,
  where = 'table',
): Record<Column, Cell>[] {
  const header = headingRow(rows, columns, answer, where);
  const labels = rows[header] ?? [];
  const places = columns.map((column) => [column, placeOf(column, labels)] as const);
  const twice = places.find(([column, at]) => placeOf(column, labels.slice(at + 1)) >= 0);
  if (twice) throw new FeedError(`${answer.url}: two columns of the ${where} are headed ${twice[0]}`);
  return rows
    .slice(header + 1)
    .map(
      (row) => Object.fromEntries(places.map(([column, at]) => [column, row[at]])) as Record<Column, Cell>,
    );
}

/** A cell of a table with headings: the row's first cell, the column's heading, and the cell. */
export interface TableFigure<Cell> {
  first: Cell | undefined;
  heading: string;
  cell: Cell | undefined;
}

/**
 * The cells below a row of headings, without the first column. Another row of headings starts a new table. Ignores rows with
 * only their first cell, and columns without a heading and cells. Throws a FeedError without such a row.
 */
export function figuresUnder<Cell>(
  rows: readonly (readonly Cell[])[],
  isHeading: (row: readonly Cell[]) => boolean,
): TableFigure<Cell>[] {
  const figures: TableFigure<Cell>[] = [];
  let headings: string[] | undefined;
  for (const row of rows) {
    if (isHeading(row)) {
      headings = row.map(labelOf);
    } else if (headings && row.slice(1).some(hasText)) {
      for (let at = 1; at < Math.max(headings.length, row.length); at++) {
        const [heading = '', cell] = [headings[at], row[at]];
        if (heading !== '' || hasText(cell)) figures.push({ first: row[0], heading, cell });
      }
    }
  }
  if (!headings) {
    const first = rows
      .find((row) => row.some(hasText))
      ?.map(labelOf)
      .join('|')
      .slice(0, 80);
    throw new FeedError(
      `no records that hold a rate, as none of ${rows.length} rows is one of headings: redesigned ("${first ?? ''}")`,
    );
  }
  return figures;
}

function placeOf(column: string, labels: readonly unknown[]): number {
  return labels.findIndex((label) => labelOf(label).toLowerCase() === column.toLowerCase());
}

function labelOf(cell: unknown): string {
  return String(cell ?? '').trim();
}

function hasText(cell: unknown): boolean {
  return labelOf(cell) !== '';
}
