import { CsvError, type Info } from 'csv-parse';
import { parse as parseCsv } from 'csv-parse/sync';
import { isCurrency } from '../../../core/domain/currencies.js';
import { type CalendarDate, isCalendarDate } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../http/excerpt.js';
import type { Format } from '../encoding/row-encoder.js';
import { isAmount } from './amount.js';

/** One amount to convert. */
export interface Line {
  amount: string;
  base: string;
  quote: string;
  date?: CalendarDate;
}

/** A line as the client sent it, with what it says, or why it can't be converted. */
export interface ReadLine {
  /** Its members, to be echoed. */
  given: Given;
  line: Line | { error: string };
}

type Given = Readonly<Record<string, unknown>>;

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
  return given.map((members) => ({ given: members, line: lineOf(members) }));
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
  try {
    return parseCsv(body, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      columns: (header: string[]) => checkHeader(header.map((name) => name.toLowerCase())),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(`line ${(error as CsvError & Partial<Info>).lines ?? '?'}: ${reasonOf(error)}`);
  }
}

function reasonOf({ code }: CsvError): string {
  return code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
    ? 'has another number of columns than the first line'
    : 'is no CSV';
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

function lineOf(given: Given): ReadLine['line'] {
  for (const name of Object.keys(given)) {
    if (!MEMBERS.has(name)) return { error: `unknown member: ${excerpt(name)}` };
  }
  const amount = textOf(given.amount) ?? '';
  if (!isAmount(amount)) return { error: `invalid amount: ${excerpt(amount)}` };
  const base = textOf(given.base) ?? '';
  const quote = textOf(given.quote) ?? '';
  for (const code of [base, quote]) {
    if (!isCurrency(code.toUpperCase())) return { error: `invalid currency: ${excerpt(code)}` };
  }
  const line = { amount, base: base.toUpperCase(), quote: quote.toUpperCase() };
  const date = textOf(given.date);
  if (date === undefined) return line;
  return isCalendarDate(date) ? { ...line, date } : { error: `invalid date: ${excerpt(date)}` };
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
