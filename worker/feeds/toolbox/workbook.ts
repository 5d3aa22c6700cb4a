import { type CellObject, CFB, type DenseSheet, read } from '@e965/xlsx';
import { fromBufferPromise } from 'yauzl';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { reasonOf } from '../../../core/process/connection-errors.js';
import { ExchangedDate, excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';
import { occursMoreThan } from './bounds.js';
import { type DateSystem, excelDate } from './dates.js';
import { clean } from './html.js';
import { numberOrMissing } from './numbers.js';

/** A cell's value. Dates are day numbers in the sheet's date system; blank cells and errors are undefined. */
export type Cell = string | number | undefined;

/** A worksheet, starting at cell A1 (`rows[0][0]`). Rows and cells that are missing in the file are blank. */
export interface Sheet {
  name: string;
  rows: readonly (readonly Cell[])[];
  dateSystem: DateSystem;
}

interface WorkbookForm {
  /** Makes hidden rows blank, which takes twice the time. */
  withoutHidden?: boolean;
}

const MOST_ROWS = 200_000;
const MOST_BYTES_OF_XLS = 8 * 1024 * 1024;
const MOST_CELLS = 3_000_000;

/** The sheets of an XLSX or XLS response, in order. Throws a FeedError if it is neither, broken or too large. */
export async function readWorkbook(answer: HttpAnswer, form: WorkbookForm = {}): Promise<Sheet[]> {
  const { bytes, url } = answer;
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const isZip = start.startsWith('504b');
  if (!isZip && start !== 'd0cf11e0') {
    throw new FeedError(`${url}: responded with no workbook: blocked or moved (${excerpt(answer.text())})`);
  }
  if (!isZip && bytes.length > MOST_BYTES_OF_XLS)
    throw new FeedError(`${url}: an XLS of ${bytes.length} bytes`);
  try {
    return sheetsOf(isZip ? await repack(bytes) : bytes, form);
  } catch (cause) {
    throw new FeedError(`${url}: a workbook that can't be read: ${reasonOf(cause)}: cut short or damaged`, {
      cause,
    });
  }
}

/** The first sheet of a workbook. Throws a FeedError if there is none. */
export async function firstSheet(answer: HttpAnswer, form: WorkbookForm = {}): Promise<Sheet> {
  const sheet = (await readWorkbook(answer, form))[0];
  if (!sheet) throw new FeedError(`${answer.url}: a workbook without a sheet`);
  return sheet;
}

/** The trimmed text of a cell; empty for a blank cell. */
export function textIn(cell: Cell): string {
  return clean(String(cell ?? ''));
}

/** The number in a cell, also if stored as text; undefined if it is blank. Throws a FeedError for other text. */
export function numberIn(cell: Cell, missing: readonly string[] = []): number | undefined {
  return numberOrMissing(cell ?? null, '.', missing);
}

/**
 * The date of a cell with a day number. Throws a FeedError if it has none, and an ExchangedDate for a date stored as text, as
 * a program that exchanges days and months leaves those dates as text that it can't convert.
 */
export function dateIn(cell: Cell, system: DateSystem): CalendarDate {
  if (typeof cell === 'number') return excelDate(cell, system);
  const what = `no day number: ${JSON.stringify(cell ?? 'a blank cell')}`;
  throw DATE_AS_TEXT.test(cell ?? '') ? new ExchangedDate(what) : new FeedError(what);
}

const DATE_AS_TEXT = /^\s*\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b/;

/** Unpacks within limits and repacks without compression, so that the workbook reader decompresses nothing itself. */
async function repack(bytes: Uint8Array): Promise<Uint8Array> {
  const files = await unzip(bytes, /\.(xml|rels)$/i);
  if (!files.has('xl/workbook.xml')) throw new FeedError('the zip holds no xl/workbook.xml');
  const container = CFB.utils.cfb_new();
  for (const [name, content] of files)
    CFB.utils.cfb_add(container, `/${name}`, requireHarmless(content, name));
  return CFB.write(container, { fileType: 'zip', type: 'buffer', compression: false });
}

function requireHarmless(content: Uint8Array, name: string): Uint8Array {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  if (/<!(DOCTYPE|ENTITY)/i.test(bytes.toString('latin1', 0, 4096)))
    throw new FeedError(`${name} declares a document type`);
  if (occursMoreThan(bytes, '<row', MOST_ROWS))
    throw new FeedError(`${name} has more than ${MOST_ROWS} rows`);
  return content;
}

function sheetsOf(bytes: Uint8Array, { withoutHidden = false }: WorkbookForm): Sheet[] {
  const book = read(bytes, {
    type: 'buffer',
    dense: true,
    sheetRows: MOST_ROWS,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
    cellDates: false,
    // Hidden rows are only read as part of the styles.
    cellStyles: withoutHidden,
  });
  const dateSystem = book.Workbook?.WBProps?.date1904 ? 1904 : 1900;
  let left = MOST_CELLS;
  return book.SheetNames.map((name) => {
    const sheet = book.Sheets[name] as DenseSheet | undefined;
    const rows = Array.from(sheet?.['!data'] ?? [], (row: CellObject[] | undefined, at) => {
      left -= row?.length ?? 0;
      if (left < 0) throw new FeedError(`more than ${MOST_CELLS} cells`);
      return sheet?.['!rows']?.[at]?.hidden ? [] : Array.from(row ?? [], cellValue);
    });
    return { name, rows, dateSystem };
  });
}

function cellValue(cell: CellObject | undefined): Cell {
  if (!cell || cell.t === 'e') return undefined;
  const { v } = cell;
  return typeof v === 'number' || typeof v === 'string' ? v : undefined;
}

const MOST_ENTRIES = 1000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Unpacks matching files of a zip. Throws beyond 1000 entries or 32 MiB, whatever the zip declares. */
export async function unzip(bytes: Uint8Array, wanted: RegExp): Promise<Map<string, Uint8Array>> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (zip.entryCount > MOST_ENTRIES) throw new FeedError(`a zip of ${zip.entryCount} entries`);
  const files = new Map<string, Uint8Array>();
  let left = MOST_BYTES;
  for await (const entry of zip.eachEntry()) {
    if (!wanted.test(entry.fileName)) continue;
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      left -= piece.length;
      if (left < 0) throw new FeedError(`the zip unpacks to more than ${MOST_BYTES} bytes`);
      pieces.push(piece);
    }
    files.set(entry.fileName, Buffer.concat(pieces));
  }
  return files;
}
