import { type CellObject, type DenseSheet, read, utils, write } from '@e965/xlsx';
import { isCalendarDate } from '../../core/domain/dates.js';
import { type DateSystem, excelDate } from '../../worker/feeds/toolbox/dates.js';
import { dateSystemOf } from '../../worker/feeds/toolbox/workbook.js';
import { type BodyForm, endsOf } from './form.js';

type Cell = string | number | null;

const NOTE = 'Note: provisional figures';
const MOST_ROWS = 200;
const MOST_COLUMNS = 40;
const NEW_PRICE = 1.2345;

/** Workbooks (XLSX, XLS): names are the texts of rows that hold several and no price; all sheets are changed alike. */
export const workbookForm: BodyForm = {
  same: (text) => rowsChanged(text, (rows) => rows),
  numbersChanged: (text, change) =>
    cellsChanged(text, (cell) =>
      typeof cell === 'number' && !isDay(cell) ? ownNumber(change(`${cell}`)) : cell,
    ),
  textsChanged(text, change) {
    const { dateSystem } = bookOf(text);
    return cellsChanged(text, (cell) => {
      if (typeof cell === 'string') return change(cell);
      if (!isDay(cell)) return cell;
      const date = excelDate(cell, dateSystem);
      const printed = change(date);
      return isCalendarDate(printed) ? cell + dayNumber(printed) - dayNumber(date) : printed;
    });
  },
  names(text) {
    const names = new Set<string>();
    rowsChanged(text, (rows) => {
      for (const row of rows.filter(isHeading))
        for (const cell of row) if (isName(cell)) names.add(cell.trim());
      return rows;
    });
    return [...names];
  },
  renamed: (text, names) =>
    cellsChanged(text, (cell) => (isName(cell) && names.has(cell.trim()) ? `${cell.trim()} new` : cell)),
  removed: (text, names) =>
    rowsChanged(text, (rows) => {
      const gone = new Set(
        rows.flatMap((row) =>
          row.flatMap((cell, at) => (isName(cell) && names.has(cell.trim()) ? [at] : [])),
        ),
      );
      return rows.map((row) => row.filter((_, at) => !gone.has(at)));
    }),
  swapped: (text, which) =>
    rowsChanged(text, (rows) => {
      const width = Math.max(0, ...rows.map((row) => row.length));
      return rows.map((row) => {
        if (which === 'without headings') return isHeading(row) ? row : exchanged(row, 0, 1);
        return exchanged(row, width - 2, width - 1);
      });
    }),
  inserted: (text, at) =>
    rowsChanged(text, (rows) =>
      rows.map((row) =>
        row.every((cell) => cell === null) ? [] : row.toSpliced(at, 0, isHeading(row) ? 'New' : NEW_PRICE),
      ),
    ),
  noted: (text) => rowsChanged(text, (rows) => rows.toSpliced(Math.ceil(rows.length / 2), 0, [NOTE])),
  shortened: (text) =>
    rowsChanged(text, (rows) => endsOf(rows, MOST_ROWS).map((row) => endsOf(row, MOST_COLUMNS))),
  recordsChanged: (text, change) =>
    rowsChanged(text, (rows) => {
      const first = rows.findLastIndex(isHeading) + 1;
      return [...rows.slice(0, first), ...change(rows.slice(first))];
    }),
};

function rowsChanged(text: string, change: (rows: Cell[][]) => Cell[][]): string {
  const { sheets, dateSystem } = bookOf(text);
  const book = utils.book_new();
  book.Workbook = { WBProps: { date1904: dateSystem === 1904 } };
  for (const { name, rows } of sheets) {
    const copies = rows.map((row) => [...row]);
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet(rows.length === 0 ? [] : change(copies), { dense: true }),
      name,
    );
  }
  return (write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer).toString('latin1');
}

interface Book {
  sheets: readonly { name: string; rows: readonly (readonly Cell[])[] }[];
  dateSystem: DateSystem;
}

/** The workbook that was read last: many damages to one follow one another. */
let latest: (Book & { text: string }) | undefined;

function bookOf(text: string): Book {
  if (latest?.text === text) return latest;
  const book = read(Buffer.from(text, 'latin1'), { type: 'buffer', cellDates: false, dense: true });
  const sheets = book.SheetNames.map((name) => {
    const data = (book.Sheets[name] as DenseSheet | undefined)?.['!data'] ?? [];
    return { name, rows: Array.from(data, valuesOf) };
  });
  latest = { text, sheets, dateSystem: dateSystemOf(book) };
  return latest;
}

/** The values of a row up to its last one: some sheets have thousands of blank cells after it. */
function valuesOf(row: readonly (CellObject | undefined)[] | undefined): Cell[] {
  const values = Array.from(row ?? [], (cell): Cell => {
    const value = cell?.t === 'e' ? null : cell?.v;
    return typeof value === 'number' || typeof value === 'string' ? value : null;
  });
  return values.slice(0, values.findLastIndex((value) => value !== null) + 1);
}

function cellsChanged(text: string, change: (cell: Cell) => Cell): string {
  return rowsChanged(text, (rows) => rows.map((row) => row.map(change)));
}

function isHeading(row: readonly Cell[]): boolean {
  return row.filter(isName).length > 1 && !row.some((cell) => typeof cell === 'number' && !isDay(cell));
}

function isName(cell: Cell): cell is string {
  return typeof cell === 'string' && cell.trim() !== '';
}

/** The day numbers of 1982 to 2063; a price among them is as good as none. */
function isDay(cell: Cell): cell is number {
  return typeof cell === 'number' && Number.isInteger(cell) && cell > 30_000 && cell < 60_000;
}

function dayNumber(date: string): number {
  return Date.parse(date) / 86_400_000;
}

function exchanged(row: readonly Cell[], one: number, other: number): Cell[] {
  const cells = [...row];
  [cells[one], cells[other]] = [row[other] ?? null, row[one] ?? null];
  return cells;
}

/** A number where the text is one, else the text; no cell where it is blank. */
function ownNumber(text: string): Cell {
  return text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text;
}
