import { HttpError } from '../../http/errors.js';

export const MOST_LINES = 10_000;
/** The most lines of text, including blank ones and a heading. */
const MOST_TEXT_LINES = 2 * MOST_LINES;
/** In characters. A line has five members, of which only an ID may be long. */
const LONGEST_LINE = 10_000;

// Records are divided on demand, each with a limit before it is parsed: 2 MB can contain a million commas or brackets.
// A body that can't be divided is an HttpError 422 that names the line.

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
  throw unreadable('the body is not valid JSON: its array is not closed');
}

/** Generates the lines of a text, including blank ones, with their numbers. */
export function textLines(body: string) {
  return dividedAt(/\n/g, body);
}

/** Generates the records of a CSV text (RFC 4180), each as a list of its cells, without blank lines. */
export function* csvRecords(body: string): Generator<string[]> {
  let columns: number | undefined;
  for (const { text, number } of dividedAt(/"|\r\n|\n|\r/g, body)) {
    if (text.trim() === '') continue;
    const cells = text.includes('"') ? quotedCells(text, number) : text.split(',');
    columns ??= cells.length;
    if (cells.length !== columns)
      throw unreadable(`line ${number}: has another number of columns than the first line`);
    yield cells;
  }
}

/** Generates the texts between line ends that are not in quotes, with the numbers of the lines in which they end. */
// `marks` matches line ends, and quotes if they count.
function* dividedAt(marks: RegExp, body: string) {
  let number = 1;
  let start = 0;
  let isQuoted = false;
  for (const { 0: mark, index } of body.matchAll(marks)) {
    checkLength(index - start, number);
    if (mark === '"') {
      // A quote in a quoted cell is written twice, which closes and opens the cell.
      isQuoted = !isQuoted;
      continue;
    }
    if (!isQuoted) {
      yield { text: body.slice(start, index), number };
      start = index + mark.length;
    }
    if (++number > MOST_TEXT_LINES) throw tooMany(number);
  }
  checkLength(body.length - start, number);
  yield { text: body.slice(start), number };
}

/** A cell with quotes or without, and the comma after it. */
const CELL = /\s*"((?:[^"]|"")*)"\s*(,|$)|([^",]*)(,|$)/y;

function quotedCells(text: string, number: number): string[] {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (let hasMore = true; hasMore; ) {
    const cell = CELL.exec(text);
    if (!cell) {
      const breaks = text.match(/\r\n|\n|\r/g) ?? [];
      throw unreadable(`line ${number - breaks.length}: is not CSV`);
    }
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
