import { isCurrency } from '../../core/domain/currencies.js';
import { addDays, type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { DAYS_AHEAD } from '../../core/domain/providers.js';
import { FeedError } from './feed-error.js';
import type { HttpAnswer } from './http/client.js';
import { countCase, type Tally } from './tally.js';

/** One unit of `base` costs `rate` units of `quote` on `date`, as the source published it. */
export interface RateRow {
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
}

/** Days wanted, both ends included. */
export interface Window {
  from: CalendarDate;
  to: CalendarDate;
}

/** The days that a response may be about. */
export interface AskedDays extends Window {
  /** Whether none may go beyond them: what is asked for is one day's table, or the last one before it. */
  exact?: true;
}

/** What one response gave. Made by `ratesFrom`, `noData` and `mismatch`, never by hand. */
export interface Reading {
  response: HttpAnswer;
  rates: readonly RateRow[];
  /** Records that gave no rate, by reason. */
  skipped: Tally;
  /** Whether it has no records, or nothing but marks of "no rate". Whether it may says the feed (`empty`). */
  isEmpty?: true;
  /** Why the response holds no rate at all; only a reason that the source documents. */
  noData?: string;
  /** How the response is about something else than what was asked for, such as other days. */
  mismatch?: string;
}

/**
 * What a feed makes of one record. A name that its table does not know gives an undefined `base` or `quote`; the
 * source's own mark for "no rate" (null, blank, `ND`, 0) gives an undefined or zero `rate`. Both are counted.
 */
export interface Figure {
  date: CalendarDate;
  base: string | undefined;
  quote: string | undefined;
  rate: number | undefined;
  /** For how many units of `base` the rate is, where the source prints that; an undefined one is malformed. */
  units?: number | undefined;
}

/** A record that is no figure, and why. */
export interface Skip {
  reason: string;
  /** Whether the source says itself that it has no rate there. */
  isNoRate: boolean;
}

/** The record has figures that the feed does not take, such as an index among the currencies. */
export function skipped(reason: string): Skip {
  return { reason, isNoRate: false };
}

/** The source has no rate of its own there and documents how it says so, such as a weekend that repeats Friday. */
export function noRate(reason: string): Skip {
  return { reason, isNoRate: true };
}

/** Figures of days that nobody asked for: a source that ignores its parameters answers with such. */
export const OUTSIDE = 'outside the days asked for';
const UNKNOWN_NAME = 'unknown name';
const NO_RATE = 'no rate';
/** Of a few records most may be blank or odd; of this many it is another layout. */
const MANY = 10;
/** A record that can't be read. */
const MALFORMED = 'malformed';

/**
 * Reads a response record by record. `read` makes a figure of each, or skips it; a FeedError that it throws makes
 * the record malformed and is counted, with the record, so that one odd record does not cost the others.
 *
 * Throws a FeedError where there is no usable rate (of a known currency) among the records, or where ten and more of
 * them are malformed and fewer give rates: the response has another form. Without records, or with nothing but marks of "no rate",
 * the Reading is empty, which is an error too unless the feed says what that means; where all rates are of days that
 * were not asked for, it is a mismatch.
 *
 * `asked` are the days that the response may be about, and two more, as banks publish ahead: 'any day' for a source that sends its whole archive, or
 * what it has.
 */
export function ratesFrom<Item>(
  response: HttpAnswer,
  asked: AskedDays | 'any day',
  records: Iterable<Item>,
  read: (record: Item) => Figure | Skip,
): Reading {
  const rates: RateRow[] = [];
  const tally: Tally = {};
  const last = asked === 'any day' ? undefined : addDays(asked.to, daysAhead(asked));
  const odd = response.oddRecords.splice(0);
  for (const record of odd) countCase(tally, MALFORMED, () => record);
  let [count, withoutRate, malformed, usable] = [odd.length, 0, odd.length, 0];
  for (const record of records) {
    count++;
    const outcome = attempt(() => sort(read(record)));
    if (
      'rate' in outcome &&
      asked !== 'any day' &&
      (outcome.date < asked.from || outcome.date > (last ?? ''))
    ) {
      countCase(tally, OUTSIDE, () => `${excerptOf(record)}: ${outcome.date}`);
      continue;
    }
    if ('rate' in outcome) {
      rates.push(outcome);
      if (isCurrency(outcome.base) && isCurrency(outcome.quote)) usable++;
      continue;
    }
    if (outcome.isNoRate) withoutRate++;
    if (outcome.reason === MALFORMED) malformed++;
    const { detail } = outcome;
    countCase(tally, outcome.reason, () => `${excerptOf(record)}${detail ? `: ${detail}` : ''}`);
  }
  if (usable === 0 && withoutRate === count) return { response, rates: [], skipped: tally, isEmpty: true };
  if (usable === 0 && tally[OUTSIDE] && malformed === 0) {
    return mismatch(response, `its records are of other days than asked for${wordsOf(tally, asked)}`);
  }
  if (usable === 0 || (malformed > rates.length && malformed >= MANY)) {
    throw new FeedError(`${response.url}: ${usable} of ${count} records give a rate${wordsOf(tally, asked)}`);
  }
  return { response, rates, skipped: tally };
}

/** A response without rates, for a reason that the source documents. */
export function noData(response: HttpAnswer, reason: string): Reading {
  return { response, rates: [], skipped: {}, noData: reason };
}

/** A response about something else than what was asked for: the run fails, naming it. */
export function mismatch(response: HttpAnswer, what: string): Reading {
  return { response, rates: [], skipped: {}, mismatch: what };
}

/** A table asked for by its day is of no later one; a source asked for a window may publish ahead of it. */
function daysAhead({ from, to, exact }: AskedDays): number {
  return exact || from === to ? 0 : DAYS_AHEAD;
}

type Sorted = RateRow | (Skip & { detail?: string });

function sort(outcome: Figure | Skip): Sorted {
  if ('reason' in outcome) return outcome;
  const { date, base, quote, rate } = outcome;
  if (!isCalendarDate(date)) throw new FeedError(`not a date: ${JSON.stringify(date)}`);
  if (!base || !quote) return skipped(UNKNOWN_NAME);
  if (rate === undefined || rate === 0) return noRate(NO_RATE);
  const price = rate / unitsOf(outcome);
  if (!(Number.isFinite(price) && price > 0)) throw new FeedError(`not a rate of ${base}/${quote}: ${price}`);
  return { date, base, quote, rate: price };
}

function unitsOf(figure: Figure): number {
  if (!('units' in figure)) return 1;
  if (figure.units === undefined) throw new FeedError(`no units for the rate of ${figure.base}`);
  if (!Number.isInteger(figure.units) || figure.units < 1)
    throw new FeedError(`not a number of units of ${figure.base}: ${figure.units}`);
  return figure.units;
}

function attempt(sorted: () => Sorted): Sorted {
  try {
    return sorted();
  } catch (error) {
    if (error instanceof FeedError) return { ...skipped(MALFORMED), detail: error.message };
    throw error;
  }
}

function wordsOf(tally: Tally, asked: Window | 'any day'): string {
  const days = asked === 'any day' ? '' : ` for ${asked.from} to ${asked.to}`;
  const cases = Object.entries(tally).map(
    ([reason, { count, samples }]) => `; ${count} ${reason}, such as ${samples[0]}`,
  );
  return `${days}${cases.join('')}`;
}

function excerptOf(record: unknown): string {
  const text = typeof record === 'string' ? record : (JSON.stringify(record) ?? String(record));
  return text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE)}…` : text;
}

const LONGEST_SAMPLE = 160;
