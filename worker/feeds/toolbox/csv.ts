import { parse } from 'csv-parse/sync';
import { FeedError } from '../feed.js';
import type { HttpAnswer } from '../http/client.js';
import { figuresUnder, headingRow, recordsUnder, type TableFigure } from './headings.js';
import { textOf } from './page-guard.js';

export interface CsvForm {
  /** Default: `,`. */
  separator?: string;
  /** Default: that of the content type, else UTF-8. */
  charset?: string;
  /** The start of the note below the table. That line and all lines after it are ignored. A file without it is truncated. */
  note?: string;
  /** The source's file may end without a line break. Otherwise a missing line break means a truncated file. */
  endsOpen?: boolean;
}

/** The lines of a CSV response as trimmed cells, without blank ones. Throws a FeedError if it is no CSV, or truncated. */
export function csvLines(answer: HttpAnswer, form: CsvForm = {}): string[][] {
  const text = textOf(answer, 'CSV', form.charset);
  if (!form.endsOpen && form.note === undefined && !/[\r\n]$/.test(text)) {
    throw new FeedError(
      `${answer.url}: its last line does not end: cut short after ${text.length} characters`,
    );
  }
  const lines = parsed(text, answer, form);
  if (form.note === undefined) return lines;
  const { note } = form;
  const end = lines.findIndex(([first]) => first?.startsWith(note));
  if (end < 0)
    throw new FeedError(`${answer.url}: no note "${note}" below the table: cut short or redesigned`);
  return lines.slice(0, end);
}

/** The lines below the header with these columns, as objects. Throws a FeedError without it, or for an odd line. */
export function csvRecords<Column extends string>(
  answer: HttpAnswer,
  columns: readonly Column[],
  form: CsvForm = {},
): Record<Column, string>[] {
  const lines = csvLines(answer, form);
  requireEqualLength(lines.slice(headingRow(lines, columns, answer, 'CSV')), answer);
  return recordsUnder(lines, columns, answer, 'CSV');
}

/**
 * The cells of a CSV response with one column per currency or day, with their headings (see figuresUnder). Throws a FeedError
 * if no line is a header, a line has a different number of cells, or all cells are empty.
 */
export function csvFigures(
  answer: HttpAnswer,
  isHeading: (line: readonly string[]) => boolean,
  form: CsvForm = {},
): TableFigure<string>[] {
  const lines = csvLines(answer, form).filter((line) => form.note === undefined || line.length > 1);
  const headers = lines.flatMap((line, at) => (isHeading(line) ? [at] : []));
  const above = form.note === undefined ? undefined : lines.slice(0, headers[0])[0];
  if (headers.length === 0 || above) {
    const first = (above ?? lines[0] ?? []).join('|').slice(0, 80);
    throw new FeedError(`${answer.url}: no line of headings: redesigned ("${first}")`);
  }
  for (const [block, header] of headers.entries())
    requireEqualLength(lines.slice(header, headers[block + 1]), answer);
  const figures = figuresUnder(lines, isHeading);
  const below = lines.length - (headers[0] ?? 0) - headers.length;
  if (figures.length === 0 && below > 0)
    throw new FeedError(`${answer.url}: none of the ${below} lines under its headings has a figure`);
  return figures;
}

/** Throws a FeedError if a line has a different number of cells than the first one, which contains the headings. */
export function requireEqualLength(lines: readonly (readonly string[])[], { url }: HttpAnswer): void {
  const width = lines[0]?.length ?? 0;
  const odd = lines.find((line) => line.length !== width);
  if (odd) {
    const start = odd.join('|').slice(0, 80);
    throw new FeedError(`${url}: a line of ${odd.length} cells under ${width} headings: ${start}`);
  }
}

function parsed(text: string, { url }: HttpAnswer, form: CsvForm): string[][] {
  try {
    return parse(text, {
      delimiter: form.separator ?? ',',
      bom: true,
      trim: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 1024 * 1024,
    });
  } catch (cause) {
    throw new FeedError(`${url}: CSV that can't be read: ${String(cause)}`, { cause });
  }
}
