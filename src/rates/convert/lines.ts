import { CsvError, type Info } from 'csv-parse';
import { parse as parseCsv } from 'csv-parse/sync';
import { isAmount } from '../../../core/domain/amount.js';
import { isCurrency } from '../../../core/domain/currencies.js';
import { parseDayNumber } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../http/excerpt.js';
import type { Format } from '../encoding/row-encoder.js';

/** One amount to convert. */
export interface Line {
  amount: string;
  base: string;
  quote: string;
  /** Day number that the rate is looked up for; absent where the line has no date. */
  day?: number;
}

/** A line as the client sent it, with what it says, or why it can't be converted. */
export interface ReadLine {
  /** Its members, to be echoed. */
  given: Given;
  line: Line | { error: string };
}

/** The members of a line by their names. */
export type Given = Readonly<Record<string, unknown>>;

export const MOST_LINES = 10_000;
const MEMBERS = new Set(['amount', 'base', 'quote', 'date', 'id']);
const NEEDED = ['amount', 'base', 'quote'];

/**
 * Reads the lines of a body. Throws an HttpError 422 that names the line where the body can't be read or has too many
 * lines; what is wrong with one line only is said in that line.
 */
export function readLines(body: string, format: Format): ReadLine[] {
  const given = format === 'csv' ? csvLines(body) : format === 'ndjson' ? ndjsonLines(body) : jsonLines(body);
  if (given.length > MOST_LINES)
    throw unreadable(`line ${MOST_LINES + 1}: there are ${MOST_LINES} lines at most`);
  // The columns of CSV are known already.
  const read = format === 'csv' ? lineOf : (members: Given) => unknownMemberOf(members) ?? lineOf(members);
  return given.map((members) => ({ given: members, line: read(members) }));
}

function jsonLines(body: string): Given[] {
  const parsed = parseJson(body, 'the body');
  if (!Array.isArray(parsed)) throw unreadable('the body must be a JSON array of lines');
  return parsed.map((line, index) => asObject(line, index + 1));
}

function ndjsonLines(body: string): Given[] {
  const lines: Given[] = [];
  body.split('\n').forEach((text, index) => {
    if (text.trim() !== '') lines.push(asObject(parseJson(text, `line ${index + 1}`), index + 1));
  });
  return lines;
}

function csvLines(body: string): Given[] {
  const [header = [], ...records] = body.includes('"') ? recordsWithQuotes(body) : recordsWithoutQuotes(body);
  const names = checkHeader(header.map((name) => name.toLowerCase()));
  return records.map((cells) => {
    const members: Record<string, unknown> = {};
    names.forEach((name, index) => {
      members[name] = cells[index];
    });
    return members;
  });
}

/** Most files have no quotes: nothing but commas and line ends divides them, and no parser is needed (RFC 4180). */
function recordsWithoutQuotes(body: string): string[][] {
  const records: string[][] = [];
  body.split(LINE_END).forEach((text, index) => {
    if (text.trim() === '') return;
    const cells = text.split(',').map((cell) => cell.trim());
    if (cells.length !== (records[0] ?? cells).length) throw inconsistent(index + 1);
    records.push(cells);
  });
  return records;
}

const LINE_END = /\r\n|\n|\r/;

function recordsWithQuotes(body: string): string[][] {
  try {
    return parseCsv(body, { bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = '?' } = error as CsvError & Partial<Info>;
    if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') throw inconsistent(lines);
    throw unreadable(`line ${lines}: is no CSV`);
  }
}

function inconsistent(line: number | string): HttpError {
  return unreadable(`line ${line}: has another number of columns than the first line`);
}

function checkHeader(names: string[]): string[] {
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw unreadable(`line 1: the column ${missing.join(', ')} is missing`);
  const unknown = names.find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) throw unreadable(`line 1: unknown column: ${excerpt(unknown)}`);
  return names;
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(`${where}: is no JSON`, cause);
  }
}

function asObject(value: unknown, number: number): Given {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable(`line ${number}: must be an object`);
  }
  return value as Given;
}

function unknownMemberOf(given: Given): { error: string } | undefined {
  const unknown = Object.keys(given).find((name) => !MEMBERS.has(name));
  return unknown === undefined ? undefined : { error: `unknown member: ${excerpt(unknown)}` };
}

function lineOf(given: Given): ReadLine['line'] {
  const amount = textOf(given.amount) ?? '';
  if (!isAmount(amount)) return { error: `invalid amount: ${excerpt(amount)}` };
  const base = textOf(given.base) ?? '';
  const quote = textOf(given.quote) ?? '';
  const line = { amount, base: base.toUpperCase(), quote: quote.toUpperCase() };
  if (!isCurrency(line.base)) return { error: `invalid currency: ${excerpt(base)}` };
  if (!isCurrency(line.quote)) return { error: `invalid currency: ${excerpt(quote)}` };
  const date = textOf(given.date);
  if (date === undefined) return line;
  const day = parseDayNumber(date);
  return day === undefined ? { error: `invalid date: ${excerpt(date)}` } : { ...line, day };
}

/** Numbers may be given as such; what is absent, null or empty is not there. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text =
    typeof value === 'string'
      ? value.trim()
      : typeof value === 'number'
        ? String(value)
        : JSON.stringify(value);
  return text === '' ? undefined : text;
}

function unreadable(message: string, cause?: unknown): HttpError {
  return new HttpError(422, message, { cause });
}
