import { amountIn, mayBeRounded, SEND_AS_STRING } from '../../../core/domain/amount.js';
import { isPriced, mistakableCode } from '../../../core/domain/currencies.js';
import { type CalendarDate, parseDayNumber } from '../../../core/domain/dates.js';
import type { Format } from '../../formats/record-formats.js';
import { excerpt } from '../../parameters/excerpt.js';
import { invalidAmount, invalidCurrency, invalidDate } from '../../parameters/hints.js';
import { csvRecords, jsonElements, MOST_LINES, textLines, tooMany, unreadable } from './records.js';

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
  for (const { text, number } of format === 'json' ? jsonElements(body) : textLines(body))
    yield asObject(text, number);
}

function* csvObjects(body: string): Generator<Given> {
  let names: string[] | undefined;
  for (const cells of csvRecords(body)) {
    if (names) yield Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim()]));
    else names = checkHeader(cells.map((name) => name.trim().toLowerCase()));
  }
  if (!names) checkHeader([]);
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
