import { CsvError, type Info } from 'csv-parse';
import { parse as parseCsv } from 'csv-parse/sync';
import { amountIn } from '../../../core/domain/amount.js';
import { isCurrency } from '../../../core/domain/currencies.js';
import { type CalendarDate, parseDayNumber } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../http/excerpt.js';
import type { Format } from '../../http/record-formats.js';

/** One amount to convert. */
export interface Line {
  amount: string;
  base: string;
  quote: string;
  /** The day that the rate is looked up for, and its number; absent where the line has no date. */
  on?: { date: CalendarDate; day: number };
}

/** A line as the client sent it, with what it says, or why it can't be converted. */
export interface ReadLine {
  /** All its members, to be echoed where it can't be converted. */
  given(): Given;
  id: unknown;
  line: Line | { error: string };
}

/** The members of a line by their names. */
export type Given = Readonly<Record<string, unknown>>;

export const MOST_LINES = 10_000;
/** So many of text, of which some are blank and one is a heading. */
const MOST_TEXT_LINES = 2 * MOST_LINES;
/** Of characters. A line has five members, of which only an id may be long. */
const LONGEST_LINE = 10_000;
/** Of lists and objects in an id. */
const DEEPEST_ID = 20;
const MEMBERS = new Set(['amount', 'base', 'quote', 'date', 'id']);
const NEEDED = ['amount', 'base', 'quote'];

/**
 * The lines of a body, made anew each time they are gone through: held as objects, ten thousand would outlive two
 * collections of the young generation, and each request would leave some eight megabytes to the next full one.
 */
export interface Lines extends Iterable<ReadLine> {
  /** The day number of each; undefined for one without a valid date. */
  readonly days: readonly (number | undefined)[];
}

/** A body divided into records, and what they say. */
interface Records<T> {
  readonly records: Iterable<T>;
  dateOf(record: T): unknown;
  /** `day` is the number of its date; undefined where that is absent or invalid. */
  toLine(record: T, day: number | undefined): ReadLine;
}

/**
 * Reads the lines of a body. Throws an HttpError 422 that names the line where the body can't be read or has too many
 * lines; what is wrong with one line only is said in that line.
 */
export function readLines(body: string, format: Format): Lines {
  if (format === 'csv') return linesOf(csvRecords(body));
  const records = format === 'ndjson' ? ndjsonRecords(body) : jsonRecords(body);
  return linesOf({
    records,
    dateOf: ({ date }) => date,
    toLine(given, day) {
      const { amount, base, quote, date, id } = given;
      const line = unknownMemberOf(given) ?? lineOf(amount, base, quote, { date, day });
      return { given: () => given, id, line };
    },
  });
}

function linesOf<T>({ records, dateOf, toLine }: Records<T>): Lines {
  const days: (number | undefined)[] = [];
  for (const record of records) {
    if (days.length === MOST_LINES) throw tooMany(MOST_LINES + 1);
    days.push(parseDayNumber(textOf(dateOf(record)) ?? ''));
  }
  return {
    days,
    *[Symbol.iterator]() {
      let index = 0;
      for (const record of records) yield toLine(record, days[index++]);
    },
  };
}

function jsonRecords(body: string): Iterable<Given> {
  const parsed = parseJson(body, 'the body');
  if (!Array.isArray(parsed)) throw unreadable('the body must be a JSON array of lines');
  return parsed.map((line, index) => asObject(line, index + 1));
}

function ndjsonRecords(body: string): Iterable<Given> {
  return repeatable(function* () {
    let number = 0;
    for (const text of textLines(body, /\n/g)) {
      number++;
      if (text.trim() !== '') yield asObject(parseJson(text, `line ${number}`), number);
    }
  });
}

function csvRecords(body: string): Records<string[]> {
  const records = body.includes('"') ? recordsWithQuotes(body) : recordsWithoutQuotes(body);
  const [header = []] = records;
  const names = checkHeader(header.map((name) => name.trim().toLowerCase()));
  const at = (name: string) => names.indexOf(name);
  const [amount, base, quote, date, id] = [at('amount'), at('base'), at('quote'), at('date'), at('id')];
  return {
    records: repeatable(function* () {
      let isHeader = true;
      for (const cells of records) {
        if (!isHeader) yield cells;
        isHeader = false;
      }
    }),
    dateOf: (cells) => cells[date],
    toLine: (cells, day) => ({
      given: () => Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim()])),
      id: cells[id]?.trim(),
      line: lineOf(cells[amount], cells[base], cells[quote], { date: cells[date], day }),
    }),
  };
}

function repeatable<T>(generate: () => Iterator<T>): Iterable<T> {
  return { [Symbol.iterator]: generate };
}

/** Most files have no quotes: nothing but commas and line ends divides them, and no parser is needed (RFC 4180). */
function recordsWithoutQuotes(body: string): Iterable<string[]> {
  return repeatable(function* () {
    let number = 0;
    let columns: number | undefined;
    for (const text of textLines(body, LINE_END)) {
      number++;
      if (text.trim() === '') continue;
      const cells = text.split(',');
      columns ??= cells.length;
      if (cells.length !== columns) throw inconsistent(number);
      yield cells;
    }
  });
}

const LINE_END = /\r\n|\n|\r/g;

/** The texts between line ends. Throws an HttpError 422 for too many or too long ones, before anybody looks into them. */
function* textLines(body: string, lineEnd: RegExp): Generator<string> {
  let number = 0;
  let start = 0;
  const lineTo = (index: number) => {
    number++;
    if (number > MOST_TEXT_LINES) throw tooMany(number);
    if (index - start > LONGEST_LINE)
      throw unreadable(`line ${number}: is longer than ${LONGEST_LINE} characters`);
    return body.slice(start, index);
  };
  for (const { 0: end, index } of body.matchAll(lineEnd)) {
    yield lineTo(index);
    start = index + end.length;
  }
  yield lineTo(body.length);
}

function recordsWithQuotes(body: string): string[][] {
  // A field may have line ends, so that it may be in several lines. The parser is given no more of them than others are.
  for (const _ of textLines(body, LINE_END));
  try {
    return parseCsv(body, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      to: MOST_LINES + 2,
      max_record_size: LONGEST_LINE,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = '?' } = error as CsvError & Partial<Info>;
    if (error.code === 'CSV_MAX_RECORD_SIZE') {
      throw unreadable(`line ${lines}: is longer than ${LONGEST_LINE} characters`);
    }
    if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') throw inconsistent(lines);
    throw unreadable(`line ${lines}: is no CSV`);
  }
}

function tooMany(line: number): HttpError {
  return unreadable(`line ${line}: there are ${MOST_LINES} lines at most`);
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
  if (isDeeperThan(DEEPEST_ID + 1, value)) throw unreadable(`line ${number}: is nested too deep`);
  return value as Given;
}

function unknownMemberOf(given: Given): { error: string } | undefined {
  const unknown = Object.keys(given).find((name) => !MEMBERS.has(name));
  return unknown === undefined ? undefined : { error: `unknown member: ${excerpt(unknown)}` };
}

function lineOf(
  givenAmount: unknown,
  givenBase: unknown,
  givenQuote: unknown,
  on: { date: unknown; day: number | undefined },
): ReadLine['line'] {
  const givenText = textOf(givenAmount) ?? '';
  const amount = amountIn(givenText);
  if (amount === undefined) return { error: `invalid amount: ${excerpt(givenText)}` };
  const base = textOf(givenBase) ?? '';
  const quote = textOf(givenQuote) ?? '';
  const line = { amount, base: base.toUpperCase(), quote: quote.toUpperCase() };
  if (!isCurrency(line.base)) return { error: `invalid currency: ${excerpt(base)}` };
  if (!isCurrency(line.quote)) return { error: `invalid currency: ${excerpt(quote)}` };
  const date = textOf(on.date);
  if (date === undefined) return line;
  const { day } = on;
  return day === undefined ? { error: `invalid date: ${excerpt(date)}` } : { ...line, on: { date, day } };
}

/** Numbers may be given as such; what is absent, null or empty is not there. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  // No amount, code or date is a list or an object: its content is not written out to be cut short.
  if (typeof value === 'object') return Array.isArray(value) ? '[…]' : '{…}';
  const text = String(value).trim();
  return text === '' ? undefined : text;
}

/** Whether a value has lists and objects in each other beyond a depth. */
function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(depth - 1, member));
}

function unreadable(message: string, cause?: unknown): HttpError {
  return new HttpError(422, message, { cause });
}
