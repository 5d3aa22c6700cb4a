import * as z from 'zod';
import {
  type CalendarDate,
  dayNumber,
  fromDayNumber,
  isCalendarDate,
  toCalendarDate,
} from '../../../core/domain/dates.js';
import { readDataFile } from '../../../core/process/project-files.js';
import { ExchangedDate, FeedError } from '../feed-error.js';

const SHORT_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** A part of a form: text in brackets, a token, blanks, or another character. */
const PART = /\[([^\]]*)\]|YYYY|YY|Mon|MM|M|DD|D| +|./gu;

const PATTERNS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  Mon: '(?<name>\\p{L}+)\\.?',
};

/**
 * Parses a date in a form made of tokens: `YYYY`, `YY` (69 to 99 are 1969 to 1999), `MM`, `M`, `Mon` (a name, full or short,
 * in most European languages), `DD`, `D`. Text in brackets and everything else is literal, and a blank matches any white
 * space. The text may continue after the date, as in `2026-03-02T00:00:00`, but not with a digit. Throws a FeedError if it
 * is not such a date, and an ExchangedDate if it would be one with day and month exchanged.
 */
export function parseDate(text: string | null | undefined, form: string): CalendarDate {
  if (typeof text !== 'string') throw new FeedError(`no date where ${form} is expected`);
  const parts = patternOf(form).exec(text.trim())?.groups;
  const month = parts?.name === undefined ? Number(parts?.month) : monthNumber(parts.name);
  const year = parts?.year ?? String(fullYear(Number(parts?.short)));
  const date = [year, month, parts?.day].map((part) => String(part).padStart(2, '0')).join('-');
  if (isCalendarDate(date)) return date;
  const what = `not a date in the form ${form}: ${JSON.stringify(text.slice(0, 40))}`;
  const isExchanged = month !== undefined && month > 12 && month <= 31 && Number(parts?.day) <= 12;
  throw isExchanged ? new ExchangedDate(what) : new FeedError(what);
}

/** Like parseDate, but returns undefined if the text is not such a date: for rows that may be notes. */
export function dateOrNone(text: string, form: string): CalendarDate | undefined {
  try {
    return parseDate(text, form);
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}

/** Formats a date with the tokens of parseDate. `Mon` is the English short name. */
export function formatDate(date: CalendarDate, form: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const values: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    M: String(Number(month)),
    Mon: SHORT_MONTHS[Number(month) - 1] ?? '',
    DD: day,
    D: String(Number(day)),
  };
  return form.replace(PART, (part, literal: string | undefined) => literal ?? values[part] ?? part);
}

/** The epoch of a workbook's days: the end of 1899, or, from Excel for Macintosh, the first day of 1904. */
export type DateSystem = 1900 | 1904;

/** The day number of 1970-01-01 in either system. */
const EPOCH: Readonly<Record<DateSystem, number>> = { 1900: 25_569, 1904: 24_107 };

/** The date of a day number: 46160 is 2026-05-18 in the 1900 system. Throws a FeedError outside 1900 to 2199. */
export function excelDate(serial: number, system: DateSystem): CalendarDate {
  const day = Math.floor(serial) - EPOCH[system];
  if (!(serial >= FIRST_SERIAL && day < END_OF_2199))
    throw new FeedError(`not a day number of a workbook: ${serial}`);
  return fromDayNumber(day);
}

/** 1900-03-01 in the 1900 system. Before it Excel counts a day that did not exist. */
const FIRST_SERIAL = 61;
const END_OF_2199 = dayNumber('2200-01-01');

/** In 1973. No source has earlier instants in milliseconds, and prices and numbers of seconds are lower. */
const EARLIEST_INSTANT = 1e11;

/** The UTC date of an instant in milliseconds since 1970. Throws a FeedError if it is out of range. */
export function epochDate(milliseconds: number): CalendarDate {
  if (!(milliseconds > EARLIEST_INSTANT && milliseconds < 8e12))
    throw new FeedError(`not an instant: ${milliseconds}`);
  return toCalendarDate(new Date(milliseconds));
}

const compiled = new Map<string, RegExp>();

function patternOf(form: string): RegExp {
  const known = compiled.get(form);
  if (known) return known;
  const source = form.replace(
    PART,
    (part, literal: string | undefined) => PATTERNS[part] ?? literally(literal ?? part),
  );
  const pattern = new RegExp(`^${source}(?!\\d)`, 'u');
  compiled.set(form, pattern);
  return pattern;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/ +/g, '\\s+');
}

function fullYear(short: number): number {
  return short >= 69 ? 1900 + short : 2000 + short;
}

/**
 * The prefixes that identify each month, without accents, in English, French, Spanish, Portuguese, Italian, German, Dutch,
 * Indonesian and Turkish. No prefix means different months in two languages.
 */
const BEGINNINGS = readDataFile('month_names.json', z.array(z.array(z.string())).length(12));

/** 1 to 12 for a month's full or short name, in any case, with or without accents or a dot; otherwise undefined. */
export function monthNumber(name: string): number | undefined {
  const plain = withoutAccents(name).toLowerCase();
  const month = BEGINNINGS.findIndex((beginnings) => beginnings.some((one) => plain.startsWith(one)));
  return month < 0 ? undefined : month + 1;
}

/** Removes accents: `février` becomes `fevrier`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
