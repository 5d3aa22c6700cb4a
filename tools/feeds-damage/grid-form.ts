import type { BodyForm } from './form.js';
import { isNumberText } from './values.js';

/** A document in tables, such as a web page or a workbook. */
export interface Grid<Cell> {
  /** Changes the rows of each table, and writes the document again. */
  changed(text: string, change: (rows: Cell[][]) => Cell[][]): string;
  /** What a cell says, without quotes or markup. */
  textOf(cell: Cell): string;
  /** A new cell, like those of a row. */
  cellOf(text: string, like: readonly Cell[]): Cell;
  /** Whether a cell is a heading wherever it stands. */
  isLabel?(cell: Cell): boolean;
}

/** The damages to names, columns and rows of tables. Names are the texts of rows that hold several and no number. */
export function gridForm<Cell>({ changed, textOf, cellOf, isLabel }: Grid<Cell>) {
  const isSaying = (cell: Cell) => textOf(cell) !== '';
  const isName = (cell: Cell) => isSaying(cell) && !isNumberText(textOf(cell));
  const isHeading = (row: readonly Cell[]) =>
    row.filter(isName).length > 1 && !row.some((cell) => isNumberText(textOf(cell)));
  const cornerOf = (row: readonly Cell[] = []) => row.slice(0, 1).map(textOf).join('');
  /** Tables that stand below each other, each under the same first heading. */
  const tablesOf = (rows: Cell[][]) => {
    const corner = cornerOf(rows.find(isHeading));
    const isFirst = (row: Cell[]) => corner !== '' && isHeading(row) && cornerOf(row) === corner;
    const starts = rows.flatMap((row, at) => (isFirst(row) ? [at] : []));
    return [0, ...starts.slice(1)].map((start, at) => rows.slice(start, starts[at + 1]));
  };
  /** Changes the rows of all columns, in which a place is the same column. */
  const rowsChanged = (text: string, change: (row: Cell[]) => Cell[]) =>
    changed(text, (rows) => {
      const width = rows.reduce((most, { length }) => Math.max(most, length), 2);
      return rows.map((row) => (row.length === width && row.some(isSaying) ? change(row) : row));
    });
  return {
    same: (text) => changed(text, (rows) => rows),
    names(text) {
      const names = new Set<string>();
      changed(text, (rows) => {
        for (const row of rows)
          for (const cell of row)
            if (isName(cell) && (isHeading(row) || isLabel?.(cell))) names.add(textOf(cell));
        return rows;
      });
      return [...names];
    },
    renamed: (text, names) =>
      changed(text, (rows) =>
        rows.map((row) =>
          row.map((cell) => (names.has(textOf(cell)) ? cellOf(`${textOf(cell)} new`, row) : cell)),
        ),
      ),
    removed: (text, names) =>
      changed(text, (rows) =>
        tablesOf(rows).flatMap((table) => {
          const gone = new Set(
            table.flatMap((row) => row.flatMap((cell, at) => (names.has(textOf(cell)) ? [at] : []))),
          );
          return table.map((row) => row.filter((_, at) => !gone.has(at)));
        }),
      ),
    swapped: (text, which) =>
      rowsChanged(text, (row) => {
        if (which === 'with headings') return [...row.slice(0, -2), ...row.slice(-2).reverse()];
        return isHeading(row) ? row : [...row.slice(0, 2).reverse(), ...row.slice(2)];
      }),
    inserted: (text, at) =>
      rowsChanged(text, (row) => row.toSpliced(at, 0, cellOf(isHeading(row) ? 'New' : '1.2345', row))),
    noted: (text) =>
      changed(text, (rows) =>
        rows.toSpliced(Math.ceil(rows.length / 2), 0, [cellOf('Note: provisional figures', [])]),
      ),
    recordsChanged: (text, change) =>
      changed(text, (rows) => {
        const first = rows.findIndex(isHeading) + 1;
        return [...rows.slice(0, first), ...change(rows.slice(first))];
      }),
  } satisfies Omit<BodyForm, 'numbersChanged' | 'textsChanged'>;
}
