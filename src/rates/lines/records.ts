import { CsvError, type Info } from 'csv-parse';
import { parse as parseCsv } from 'csv-parse/sync';
import { HttpError } from '../../http/errors.js';

export const MOST_LINES = 10_000;
/** The most lines of text, including blank ones and a heading. */
const MOST_TEXT_LINES = 2 * MOST_LINES;
/** In characters. A line has five members, of which only an ID may be long. */
const LONGEST_LINE = 10_000;
/** The length of the pieces that are passed to the CSV parser. */
const PIECE_LENGTH = 16 * 1024;

/*
 * Divides the body of a request into records. All of it is done a record or some kilobytes at a time, on demand, and each of
 * them has a limit that is checked before it is parsed: a body of two megabytes can contain a million commas, quotes or
 * brackets. A body that can't be divided is an HttpError 422 that names the line.
 */

/** Generates the elements of a JSON array (RFC 8259) as texts. The caller must check whether each element is valid JSON. */
export function* jsonElements(body: string): Generator<string> {
  const opening = body.search(/[^ \t\r\n]/);
  if (body[opening] !== '[') throw unreadable('the body must be a JSON array of lines');
  let start = opening + 1;
  let number = 1;
  let depth = 0;
  let isText = false;
  for (let at = start; at < body.length; at++) {
    checkLength(at - start, number);
    const character = body[at];
    if (isText) {
      if (character === '\\') at++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '[' || character === '{') depth++;
    else if (depth > 0 && (character === ']' || character === '}')) depth--;
    else if (character === ']') {
      const last = body.slice(start, at);
      if (number > 1 || last.trim() !== '') yield last;
      if (body.slice(at + 1).trim() !== '')
        throw unreadable('the body has something after the array of lines');
      return;
    } else if (character === ',' && depth === 0) {
      yield body.slice(start, at);
      start = at + 1;
      number++;
    }
  }
  throw unreadable('the body is no JSON: its array is not closed');
}

/** Generates the texts between line ends, including blank ones, with their line numbers. */
export function* textLines(body: string, lineEnd: RegExp): Generator<{ text: string; number: number }> {
  let number = 0;
  let start = 0;
  const lineTo = (index: number) => {
    checkNumber(++number);
    checkLength(index - start, number);
    return { text: body.slice(start, index), number };
  };
  for (const { 0: end, index } of body.matchAll(lineEnd)) {
    yield lineTo(index);
    start = index + end.length;
  }
  yield lineTo(body.length);
}

/** Generates the records of a CSV text (RFC 4180), each as a list of its cells, without blank lines. */
export function* csvRecords(body: string): Generator<string[]> {
  let columns: number | undefined;
  for (const { cells, number } of body.includes('"') ? recordsWithQuotes(body) : recordsWithoutQuotes(body)) {
    columns ??= cells.length;
    if (cells.length !== columns)
      throw unreadable(`line ${number}: has another number of columns than the first line`);
    yield cells;
  }
}

interface CsvRecord {
  cells: string[];
  /** The number of the line in which it ends. */
  number: number;
}

/** Most files have no quotes: they are divided only by commas and line ends, and need no parser. */
function* recordsWithoutQuotes(body: string): Generator<CsvRecord> {
  for (const { text, number } of textLines(body, /\r\n|\n|\r/g)) {
    if (text.trim() !== '') yield { cells: text.split(','), number };
  }
}

function* recordsWithQuotes(body: string): Generator<CsvRecord> {
  for (const { text, number } of piecesWithQuotes(body)) {
    for (const { record, info } of parsePiece(text, number))
      yield { cells: record, number: number + info.lines };
  }
}

/** Generates texts of whole records, some kilobytes each, with the number of lines before them. */
function* piecesWithQuotes(body: string): Generator<{ text: string; number: number }> {
  let piece = { start: 0, number: 0 };
  let start = 0;
  let number = 1;
  let isQuoted = false;
  // A quote in a quoted cell is written twice, which closes and opens the cell.
  for (const { 0: found, index } of body.matchAll(/"|\r\n|\n|\r/g)) {
    checkLength(index - start, number);
    if (found === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    checkNumber(++number);
    if (isQuoted) continue;
    start = index + found.length;
    if (start - piece.start < PIECE_LENGTH) continue;
    yield { text: body.slice(piece.start, start), number: piece.number };
    piece = { start, number: number - 1 };
  }
  checkLength(body.length - start, number);
  yield { text: body.slice(piece.start), number: piece.number };
}

function parsePiece(text: string, linesBefore: number) {
  try {
    // With `info`, each record comes with its position, which the type does not declare.
    return parseCsv(text, {
      bom: linesBefore === 0,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    }) as unknown as { record: string[]; info: Info }[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as CsvError & Partial<Info>;
    throw unreadable(`line ${linesBefore + lines}: is no CSV`, error);
  }
}

function checkNumber(number: number): void {
  if (number > MOST_TEXT_LINES) throw tooMany(number);
}

function checkLength(length: number, number: number): void {
  if (length > LONGEST_LINE) throw unreadable(`line ${number}: is longer than ${LONGEST_LINE} characters`);
}

export function tooMany(line: number): HttpError {
  return unreadable(`line ${line}: there are ${MOST_LINES} lines at most`);
}

export function unreadable(message: string, cause?: unknown): HttpError {
  return new HttpError(422, message, { cause });
}
