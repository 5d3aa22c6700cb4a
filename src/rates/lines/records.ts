import { HttpError } from '../../http/errors.js';

export const MOST_LINES = 10_000;
/** The most lines of text, including blank ones and a heading. */
const MOST_TEXT_LINES = 2 * MOST_LINES;
/** In characters. A line has five members, of which only an ID may be long. */
const LONGEST_LINE = 10_000;

// Records are divided on demand, each with a limit before it is parsed: 2 MB can contain a million commas or brackets.
// A body that can't be divided is an HttpError 422 that names the line.

/** Generates the elements of a JSON array (RFC 8259) with their numbers. The caller must check whether each element is valid JSON. */
export function* jsonElements(body: string): Generator<{ text: string; number: number }> {
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
      if (number > 1 || last.trim() !== '') yield { text: last, number };
      if (body.slice(at + 1).trim() !== '')
        throw unreadable('the body has something after the array of lines');
      return;
    } else if (character === ',' && depth === 0) {
      yield { text: body.slice(start, at), number };
      start = at + 1;
      number++;
    }
  }
  throw unreadable('the body is not valid JSON: its array is not closed');
}

/** Generates the lines of a text that are not blank. */
export function textLines(body: string) {
  return dividedAt(/\n/g, body);
}

/** Generates the records of a CSV text (RFC 4180), each as a list of its cells. */
export function* csvRecords(body: string): Generator<string[]> {
  let columns: number | undefined;
  for (const { text, number, first } of dividedAt(/"|\r\n|\n|\r/g, body)) {
    const cells = text.includes('"') ? quotedCells(text, first) : text.split(',');
    columns ??= cells.length;
    if (cells.length !== columns)
      throw unreadable(`line ${number}: has another number of columns than the first line`);
    yield cells;
  }
}

/** Generates the texts, except blank ones, between line ends that are not in quotes, with the numbers of their lines. */
// `marks` matches line ends, and quotes if they count.
function* dividedAt(marks: RegExp, body: string) {
  let number = 1;
  let start = 0;
  let first = number;
  let isQuoted = false;
  for (const { 0: mark, index } of `${body}\n`.matchAll(marks)) {
    checkLength(index - start, number);
    if (number > MOST_TEXT_LINES) throw tooMany(number);
    // A quote in a quoted cell is written twice, which closes and opens the cell.
    if (mark === '"') isQuoted = !isQuoted;
    else if (!isQuoted) {
      const text = body.slice(start, index);
      if (text.trim() !== '') yield { text, number, first };
      start = index + mark.length;
      first = number + 1;
    }
    if (mark !== '"') number++;
  }
  if (isQuoted) throw unreadable(`line ${first}: is not CSV`);
}

/** A cell with quotes or without, and the comma after it. */
const CELL = /\s*"((?:[^"]|"")*)"\s*(,|$)|([^",]*)(,|$)/y;

function quotedCells(text: string, first: number): string[] {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (let hasMore = true; hasMore; ) {
    const cell = CELL.exec(text);
    if (!cell) throw unreadable(`line ${first}: is not CSV`);
    const [, quoted, afterQuoted, plain = '', afterPlain] = cell;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    hasMore = (afterQuoted ?? afterPlain) === ',';
  }
  return cells;
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
