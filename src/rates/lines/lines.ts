import { CsvError, parse } from 'csv-parse/sync';
import { amountIn, mayBeRounded, SEND_AS_STRING } from '../../../core/domain/amount.js';
import { isPriced, mistakableCode } from '../../../core/domain/currencies.js';
import { type CalendarDate, parseDayNumber } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import type { Format } from '../../http/reply.js';
import { excerpt } from '../../parameters/excerpt.js';
import { invalidAmount, invalidCurrency, invalidDate } from '../../parameters/hints.js';

export interface Line {
  amount: string;
  base: string;
  quote: string;
  /** The day for which the rate is looked up, and its number; absent if the line has no date. */
  on?: { date: CalendarDate; day: number };
  ruled?: RuleMembers;
}

type RuleMembers = Partial<Record<(typeof RULE_MEMBERS)[number], string>>;

/** A line as the client sent it, with its values, or the reason why it can't be converted. */
export interface ReadLine {
  /** All its members, to be echoed if it can't be converted. */
  given: Given;
  id: unknown;
  line: Line | { error: string };
}

export type Given = Readonly<Record<string, unknown>>;

/** The deepest nesting of lists and objects in an `id`. */
const DEEPEST_ID = 20;
const RULE_MEMBERS = ['rule', 'period', 'from', 'to'] as const;
const MEMBERS = new Set(['amount', 'base', 'quote', 'date', 'id', ...RULE_MEMBERS]);
const NEEDED = ['amount', 'base', 'quote'];
const ACCEPTED = `accepted: ${[...MEMBERS].join(', ')}`;
/** The most invalid codes for which suggestions are searched. */
const MOST_HINTS = 20;

/** Throws an HttpError 422 that names the line if the body is unreadable or too long. */
// An error in only one line is reported in that line.
export function readLines(body: string, format: Format): ReadLine[] {
  const invalidCode = createInvalidCode();
  const lines: ReadLine[] = [];
  for (const given of format === 'csv' ? csvObjects(body) : objectsIn(body, format)) {
    if (lines.length === MOST_LINES) throw tooMany(MOST_LINES + 1);
    const line = unknownMemberOf(given) ?? lineOf(given, invalidCode);
    lines.push({ given, id: given.id, line });
  }
  return lines;
}

function* objectsIn(body: string, format: 'json' | 'ndjson'): Generator<Given> {
  let number = 0;
  for (const text of format === 'json' ? jsonElements(body) : textLines(body)) {
    number++;
    if (format === 'json' || text.trim() !== '') yield asObject(text, number);
  }
}

function* csvObjects(body: string): Generator<Given> {
  const [header = [], ...records] = csvRecords(body);
  const names = checkHeader(header.map((name) => name.trim().toLowerCase()));
  for (const cells of records)
    yield Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim()]));
}

function checkHeader(names: string[]): string[] {
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw unreadable(`line 1: the column ${missing.join(', ')} is missing`);
  const unknown = names.find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) throw unreadable(`line 1: unknown column: ${excerpt(unknown)} (${ACCEPTED})`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw unreadable(`line 1: the column ${twice} is given more than once`);
  return names;
}

function asObject(text: string, number: number): Given {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(`line ${number}: is not valid JSON`, cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable(`line ${number}: must be an object with amount, base and quote`);
  }
  if (isDeeperThan(DEEPEST_ID + 1, value)) throw unreadable(`line ${number}: is nested too deep`);
  return value as Given;
}

function unknownMemberOf(given: Given): { error: string } | undefined {
  const unknown = Object.keys(given).find((name) => !MEMBERS.has(name));
  return unknown === undefined ? undefined : { error: `unknown member: ${excerpt(unknown)} (${ACCEPTED})` };
}

function lineOf(given: Given, invalidCode: InvalidCode): ReadLine['line'] {
  const [givenAmount, base, quote, date] = ['amount', 'base', 'quote', 'date'].map((name) =>
    textOf(given[name]),
  );
  if (givenAmount === undefined) return { error: 'amount is required' };
  if (mayBeRounded(given.amount)) return { error: `amount ${SEND_AS_STRING}` };
  if (mayBeRounded(given.id) && !Number.isSafeInteger(given.id)) return { error: `id ${SEND_AS_STRING}` };
  const amount = amountIn(givenAmount);
  if (amount === undefined) return { error: invalidAmount(givenAmount) };
  if (base === undefined) return { error: 'base is required' };
  if (quote === undefined) return { error: 'quote is required' };
  const mistakable = mistakableCode(base) ?? mistakableCode(quote);
  if (mistakable !== undefined) return { error: mistakable };
  const ruled = ruleMembersOf(given);
  const line = { amount, base: base.toUpperCase(), quote: quote.toUpperCase(), ...(ruled && { ruled }) };
  if (!isPriced(line.base)) return { error: invalidCode(base) };
  if (!isPriced(line.quote)) return { error: invalidCode(quote) };
  if (date === undefined) return line;
  const day = parseDayNumber(date);
  return day === undefined ? { error: `date ${invalidDate(date)}` } : { ...line, on: { date, day } };
}

function ruleMembersOf(given: Given): RuleMembers | undefined {
  const members = RULE_MEMBERS.map((name) => [name, textOf(given[name])]).filter(([, text]) => text);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

type InvalidCode = (code: string) => string;

/** Says that a code is invalid, with a suggestion for the first of them. */
function createInvalidCode(): InvalidCode {
  const said = new Map<string, string>();
  return (code) => {
    if (!said.has(code) && said.size < MOST_HINTS) said.set(code, invalidCurrency(code));
    return said.get(code) ?? `invalid currency: ${excerpt(code)}`;
  };
}

/** Accepts numbers as well. A value that is absent, null or empty is undefined. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  // An amount, a code or a date is never a list or an object, so its content is not formatted only to be truncated.
  if (typeof value === 'object') return Array.isArray(value) ? '[…]' : '{…}';
  return String(value).trim() || undefined;
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(depth - 1, member));
}

export const MOST_LINES = 10_000;
/** The most lines of text, including blank ones and a heading. */
const MOST_TEXT_LINES = 2 * MOST_LINES;
/** In characters. A line has five members, of which only an ID may be long. */
const LONGEST_LINE = 10_000;

// The length of a line is checked before it is parsed: 2 MB can contain a million commas or brackets.
// A body that can't be divided is an HttpError 422 that names the line.

/** Generates the texts of the elements of a JSON array (RFC 8259). The caller must check whether each is valid JSON. */
function* jsonElements(body: string): Generator<string> {
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

/** Returns all lines of a text, blank ones included. */
function textLines(body: string): string[] {
  const lines = body.split(/\r\n|\n|\r/, MOST_TEXT_LINES + 1);
  if (lines.length > MOST_TEXT_LINES) throw tooMany(lines.length);
  for (const [index, { length }] of lines.entries()) checkLength(length, index + 1);
  return lines;
}

/** Returns the records of a CSV text (RFC 4180), each as a list of its cells. */
function csvRecords(body: string): string[][] {
  textLines(body);
  try {
    return parse(body, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      skip_empty_lines: true,
      // A record may have several lines.
      max_record_size: LONGEST_LINE,
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw unreadable(`line ${cause.lines}: ${CSV_FAULTS.get(cause.code) ?? 'is not CSV'}`, cause);
  }
}

const TOO_LONG = `is longer than ${LONGEST_LINE} characters`;
const CSV_FAULTS = new Map<string, string>([
  ['CSV_MAX_RECORD_SIZE', TOO_LONG],
  ['CSV_RECORD_INCONSISTENT_FIELDS_LENGTH', 'has another number of columns than the first line'],
]);

function checkLength(length: number, number: number): void {
  if (length > LONGEST_LINE) throw unreadable(`line ${number}: ${TOO_LONG}`);
}

function tooMany(line: number): HttpError {
  return unreadable(`line ${line}: there are ${MOST_LINES} lines at most`);
}

function unreadable(message: string, cause?: unknown): HttpError {
  return new HttpError(422, message, { cause });
}
