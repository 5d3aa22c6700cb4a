import { parse } from 'csv-parse/sync';
import { FeedError } from '../feed.js';
import type { HttpAnswer } from '../http/client.js';
import { excerpt } from '../http/response.js';
import { textOf } from './page-guard.js';

export interface CsvForm {
  /** `,` where absent. */
  separator?: string;
  /** Where absent, that of the content type, else UTF-8. */
  charset?: string;
}

/**
 * The lines of a CSV answer as trimmed cells, blank lines left out. Tolerates stray quotes and lines of any
 * length; throws a FeedError where the answer is a web page.
 */
export function csvLines(answer: HttpAnswer, form: CsvForm = {}): string[][] {
  return parse(textOf(answer, 'CSV', form.charset), {
    delimiter: form.separator ?? ',',
    bom: true,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 1024 * 1024,
  });
}

/**
 * The lines below the header as objects of the columns named, wherever these stand: the header is the first
 * line that has all of them. A cell that a short line lacks is `''`. Throws a FeedError where no line has them.
 */
export function csvRecords<Column extends string>(
  answer: HttpAnswer,
  columns: readonly Column[],
  form: CsvForm = {},
): Record<Column, string>[] {
  const lines = csvLines(answer, form);
  const header = lines.findIndex((line) => columns.every((column) => line.includes(column)));
  if (header < 0) {
    throw new FeedError(
      `${answer.url}: no line names the columns ${columns.join(', ')} (${excerpt(answer.text(form.charset))})`,
    );
  }
  const places = columns.map((column) => [column, lines[header]?.indexOf(column) ?? -1] as const);
  return lines.slice(header + 1).map((line) => pick(line, places));
}

function pick<Column extends string>(
  line: readonly string[],
  places: readonly (readonly [Column, number])[],
): Record<Column, string> {
  // The names come from the feed, never from the file: a header cannot reach a prototype.
  return Object.fromEntries(places.map(([column, at]) => [column, line[at] ?? ''])) as Record<Column, string>;
}
