import {
  type CalendarDate,
  calendarDate,
  dayNumber,
  fromDayNumber,
  toCalendarDate,
} from '../../../core/domain/dates.js';
import { ExchangedDate, FeedError } from '../feed-error.js';
import { monthNumber } from './month-names.js';

const SHORT_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TOKEN = /\[([^\]]*)\]|YYYY|YY|Mon|MM|M|DD|D/g;

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
 * Reads a date in the form that the tokens spell: `YYYY`, `YY` (69 to 99 are 1969 to 1999), `MM`, `M`, `Mon` (a
 * name, full or short, in most European languages), `DD`, `D`; text in brackets and everything else stands for
 * itself, and one blank for any white space. The text may go on after the date, as in `2026-03-02T00:00:00`,
 * but not with a digit. Throws a FeedError where it is no such date, an ExchangedDate where it would be one with its
 * day for its month.
 */
export function parseDate(text: string | null | undefined, form: string): CalendarDate {
  if (typeof text !== 'string') throw new FeedError(`no date where ${form} is expected`);
  const parts = patternOf(form).exec(text.trim())?.groups;
  const month = parts?.name === undefined ? Number(parts?.month) : monthNumber(parts.name);
  if (parts && month !== undefined) {
    try {
      return calendarDate(
        parts.year === undefined ? fullYear(Number(parts.short)) : Number(parts.year),
        month,
        Number(parts.day),
      );
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const what = `not a date in the form ${form}: ${JSON.stringify(text.slice(0, 40))}`;
  const isExchanged = month !== undefined && month > 12 && month <= 31 && Number(parts?.day) <= 12;
  throw isExchanged ? new ExchangedDate(what) : new FeedError(what);
}

/** Like parseDate, and undefined where the text is no such date: for rows that may be notes. */
export function dateOrNone(text: string, form: string): CalendarDate | undefined {
  try {
    return parseDate(text, form);
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}

/** Writes a date in the form that the tokens of parseDate spell; `Mon` is the English short name. */
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
  return form.replace(TOKEN, (token, literal: string | undefined) => literal ?? values[token] ?? token);
}

/** What a workbook counts its days from: the end of 1899, or, as Excel for Macintosh did, the first day of 1904. */
export type DateSystem = 1900 | 1904;

/** The day number of 1970-01-01 in either system. */
const EPOCH: Readonly<Record<DateSystem, number>> = { 1900: 25_569, 1904: 24_107 };

/**
 * The date of a workbook's day number, its fraction cut: 46160 is 2026-05-18 in the system of 1900, 44698 in that of 1904.
 * Throws a FeedError outside 1900 to 2199.
 */
export function excelDate(serial: number, system: DateSystem): CalendarDate {
  const day = Math.floor(serial) - EPOCH[system];
  if (!(serial >= FIRST_SERIAL && day < END_OF_2199))
    throw new FeedError(`not a day number of a workbook: ${serial}`);
  return fromDayNumber(day);
}

/** In the system of 1900 it is 1900-03-01: before it Excel counts a day that did not exist. */
const FIRST_SERIAL = 61;
const END_OF_2199 = dayNumber('2200-01-01');

/** Of 1973: before it no source counts in milliseconds, and a price or a number of seconds lies below it. */
const EARLIEST_INSTANT = 1e11;

/** The UTC date of an instant in milliseconds since 1970. Throws a FeedError where it is out of reach. */
export function epochDate(milliseconds: number): CalendarDate {
  if (!(milliseconds > EARLIEST_INSTANT && milliseconds < 8e12))
    throw new FeedError(`not an instant: ${milliseconds}`);
  return toCalendarDate(new Date(milliseconds));
}

const compiled = new Map<string, RegExp>();

function patternOf(form: string): RegExp {
  const known = compiled.get(form);
  if (known) return known;
  let source = '';
  let end = 0;
  for (const match of form.matchAll(TOKEN)) {
    source +=
      literally(form.slice(end, match.index)) +
      (match[1] === undefined ? PATTERNS[match[0]] : literally(match[1]));
    end = match.index + match[0].length;
  }
  const pattern = new RegExp(`^${source}${literally(form.slice(end))}(?!\\d)`, 'u');
  compiled.set(form, pattern);
  return pattern;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/ +/g, '\\s+');
}

function fullYear(short: number): number {
  return short >= 69 ? 1900 + short : 2000 + short;
}
