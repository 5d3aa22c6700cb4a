import { type CellObject, type DenseSheet, read, utils, write } from '@e965/xlsx';
import { isCalendarDate } from '../../core/domain/dates.js';
import { type DateSystem, excelDate } from '../../worker/feeds/toolbox/dates.js';
import { dateSystemOf } from '../../worker/feeds/toolbox/workbook.js';
import { type BodyForm, endsOf } from './form.js';
import { gridForm } from './grid-form.js';

type Cell = string | number | null;

const MOST_ROWS = 200;
const MOST_COLUMNS = 40;

/** Workbooks (XLSX, XLS): all sheets are changed alike. */
export const workbookForm: BodyForm = {
  ...gridForm({
    changed,
    // A heading may have days, which are no names.
    textOf: (cell: Cell) => (isDay(cell) ? '' : String(cell ?? '').trim()),
    cellOf: ownNumber,
  }),
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
  shortened: (text) =>
    changed(text, (rows) => endsOf(rows, MOST_ROWS).map((row) => endsOf(row, MOST_COLUMNS))),
};

function changed(text: string, change: (rows: Cell[][]) => Cell[][]): string {
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

function cellsChanged(text: string, change: (cell: Cell) => Cell): string {
  return changed(text, (rows) => rows.map((row) => row.map(change)));
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
    const rows = Array.from(data, valuesOf);
    const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
    return { name, rows: rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? null)) };
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

/** The day numbers of 1982 to 2063; a price among them is as good as none. */
function isDay(cell: Cell): cell is number {
  return typeof cell === 'number' && Number.isInteger(cell) && cell > 30_000 && cell < 60_000;
}

function dayNumber(date: string): number {
  return Date.parse(date) / 86_400_000;
}

/** A number where the text is one, else the text; no cell where it is blank. */
function ownNumber(text: string): Cell {
  return text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text;
}
