import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { addDays, type CalendarDate, type DateRange, isCalendarDate } from '../../core/domain/dates.js';
import { DAYS_AHEAD } from '../../core/domain/providers.js';
import { changePrices, type Sides } from '../../core/domain/sides.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { isCodeOfCurrency } from './eras.js';
import { CredentialsRefused, ExchangedDate, FeedError } from './feed-error.js';
import type { HttpAnswer } from './http/client.js';
import { type Prices, pricesOf } from './sides.js';
import { type Counts, count } from './tally.js';

/** One unit of `base` costs `rate` units of `quote` on `date`, as the source published it. */
export interface RateRow extends Omit<RawRow, 'provider'>, Sides {}

/** The requested days, both ends included. */
export type Window = DateRange;

/** The days that a response may be about. */
export interface AskedDays extends Window {
  /** Whether later days are excluded, because the request is for the table of one day, or the last one before it. */
  exact?: true;
}

/** The result of one response. Created by `ratesFrom`, `noData`, `mismatch` and `oneOfMany`, never directly. */
export interface Reading {
  /** Undefined if a document was unavailable or could not be read. */
  response: HttpAnswer | undefined;
  rates: readonly RateRow[];
  skipped: Counts;
  /** The response has no records, or only marks of "no rate". The feed's field of this name says whether that is valid. */
  without?: 'empty' | 'blank';
  /** Why the response has no rates: a reason that the source documents. */
  noData?: string;
  /** How the response differs from what was requested, such as other days. */
  mismatch?: string;
  /** The days of the document, if it is one of many. */
  document?: Window;
  fault?: FeedError | HttpClientError;
}

/**
 * A record's meaning. An unknown name gives no `base` or `quote`, a mark for "no rate" no `rate` or zero. Both are counted.
 */
export interface Figure extends Prices {
  date: CalendarDate;
  base: string | undefined;
  quote: string | undefined;
  /** The number of units of `base` that the prices are for, if the source prints it. Undefined is malformed. */
  units?: number | undefined;
}

/** A record without a figure, and why. */
export interface Skip {
  reason: string;
  /** Whether the source itself says that it has no rate there. */
  isNoRate: boolean;
}

/** The record has figures that the feed ignores, such as an index among the currencies. */
export function skipped(reason: string): Skip {
  return { reason, isNoRate: false };
}

/** The source has no rate of its own there and documents how it says so, such as a weekend that repeats Friday. */
export function noRate(reason: string): Skip {
  return { reason, isNoRate: true };
}

/** Figures of days that were not requested, from a source that ignores its parameters. */
export const OUTSIDE = 'outside the days asked for';
const UNKNOWN_NAME = 'unknown name';
const NO_RATE = 'no rate';
/** A second figure for the same currency and day. The first counts. */
export const SECOND_RATE = 'another rate for the same day';
export const MALFORMED = 'malformed';
/** With fewer records than this, most may be blank or odd. With more, the layout has changed. */
const MANY = 10;

/**
 * Reads a response record by record. `read` returns a figure or a skip for each record. A FeedError that it throws is
 * counted, so that an odd record does not affect the others. `asked` are the days that the response may be about; two more
 * days are accepted, as banks publish ahead. Use 'any day' for a source that sends its whole archive. Figures of other days,
 * and those that contradict an earlier one, are left out and counted.
 *
 * Throws a FeedError if no record has a usable rate, if most of at least ten records are malformed or contradict others, and
 * if days and months are exchanged. If there are no records, or only marks of "no rate", the Reading says so, which is also
 * an error unless the feed documents it. If all rates are of days that were not requested, it is a mismatch.
 */
export function ratesFrom<Item>(
  response: HttpAnswer,
  asked: AskedDays | 'any day',
  records: Iterable<Item>,
  read: (record: Item) => Figure | Skip,
): Reading {
  const rates = new Map<string, RateRow>();
  const odd = response.oddRecords.splice(0);
  const left: LeftOut = { counts: {}, samples: { [MALFORMED]: odd[0] } };
  if (odd.length > 0) count(left.counts, MALFORMED, odd.length);
  let [seen, withoutRate, usable, exchanged, lastDay] = [odd.length, 0, 0, 0, ''];
  for (const record of records) {
    seen++;
    const figure = sorted(record, read);
    if ('rate' in figure && figure.date.slice(8) > lastDay) lastDay = figure.date.slice(8);
    const outcome = placed(figure, asked, rates);
    if ('rate' in outcome) {
      rates.set(pairAndDay(outcome), outcome);
      if (isCodeOfCurrency(outcome.base) && isCodeOfCurrency(outcome.quote)) usable++;
    } else if (outcome.reason !== REPEATED) {
      const { reason, detail, isNoRate, isExchanged } = outcome;
      if (isNoRate) withoutRate++;
      if (isExchanged) exchanged++;
      leaveOut(left, reason, record, detail);
    }
  }
  const misread = (left.counts[MALFORMED] ?? 0) + (left.counts[SECOND_RATE] ?? 0);
  if (usable === 0 && withoutRate === seen) return readingWithout(response, left, asked);
  if (usable === 0 && left.counts[OUTSIDE] && misread === 0)
    return mismatch(response, `its records are of other days than asked for${wordsOf(left, asked)}`);
  if (usable === 0 || (misread > rates.size && misread >= MANY))
    throw new FeedError(`${response.url}: ${usable} of ${seen} records give a rate${wordsOf(left, asked)}`);
  if (exchanged > 1 && lastDay <= '12')
    throw new FeedError(
      `${response.url}: no date has a day above 12, and ${exchanged} have a month above it: days and months are exchanged${wordsOf(left, asked)}`,
    );
  return { response, rates: [...rates.values()], skipped: left.counts };
}

/** The meaning of a response without a rate: the reason for each record, or what the feed documents for such responses. */
function readingWithout(response: HttpAnswer, left: LeftOut, asked: AskedDays | 'any day'): Reading {
  const reasons = Object.keys(left.counts);
  if (asked === 'any day' && reasons.length > 0)
    throw new FeedError(`${response.url}: an archive without a rate${wordsOf(left, asked)}`);
  const nothing = { response, rates: [], skipped: left.counts };
  if (reasons.length === 0) return { ...nothing, without: 'empty' };
  return reasons.includes(NO_RATE)
    ? { ...nothing, without: 'blank' }
    : { ...nothing, noData: reasons.join(', ') };
}

/** A response without rates, for a reason that the source documents. */
export function noData(response: HttpAnswer, reason: string): Reading {
  return { response, rates: [], skipped: {}, noData: reason };
}

/** A response about something else than what was requested. The run fails with this reason. */
export function mismatch(response: HttpAnswer, what: string): Reading {
  return { response, rates: [], skipped: {}, mismatch: what };
}

/**
 * Reads one of many documents of a source, such as the bulletin of a day. If it is missing or malformed, its days are set
 * aside to be requested again. Connection errors end the run, because the next document would fail too.
 */
export async function oneOfMany(document: Window, read: () => Reading | Promise<Reading>): Promise<Reading> {
  try {
    return { ...(await read()), document };
  } catch (error) {
    if (!isOfDocument(error)) throw error;
    return { response: undefined, rates: [], skipped: {}, document, fault: error };
  }
}

function isOfDocument(error: unknown): error is FeedError | HttpClientError {
  if (error instanceof HttpClientError)
    return error.reason === 'status' && (error.status === 404 || error.status === 410);
  return error instanceof FeedError && !(error instanceof CredentialsRefused);
}

/** The table of a requested day can't be of a later day. A source with a requested window may publish ahead of it. */
function lastOf({ from, to, exact }: AskedDays): CalendarDate {
  return exact || from === to ? to : addDays(to, DAYS_AHEAD);
}

type Sorted = RateRow | (Skip & { detail?: string; isExchanged?: boolean });

/** Marks a record that repeats an earlier one, which is not counted. */
const REPEATED = 'repeated';

/** The row, unless its day was not requested, or an earlier row has the same currencies and day. */
function placed(outcome: Sorted, asked: AskedDays | 'any day', before: ReadonlyMap<string, RateRow>): Sorted {
  if (!('rate' in outcome)) return outcome;
  if (asked !== 'any day' && (outcome.date < asked.from || outcome.date > lastOf(asked)))
    return { ...skipped(OUTSIDE), detail: outcome.date };
  const known = before.get(pairAndDay(outcome));
  if (!known) return outcome;
  return pricesOf(known) === pricesOf(outcome)
    ? skipped(REPEATED)
    : { ...skipped(SECOND_RATE), detail: `${pricesOf(outcome)} after ${pricesOf(known)}` };
}

/** The key of a row of one source. */
export function pairAndDay({ date, base, quote }: Omit<RateRow, 'rate'>): string {
  return `${date} ${base} ${quote}`;
}

/** What a record means. If it can't be read, that it is malformed. */
function sorted<Item>(record: Item, read: (record: Item) => Figure | Skip): Sorted {
  try {
    return rowOf(read(record));
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { ...skipped(MALFORMED), detail: error.message, isExchanged: error instanceof ExchangedDate };
  }
}

function rowOf(outcome: Figure | Skip): Sorted {
  if ('reason' in outcome) return outcome;
  const { date, base, quote, rate } = outcome;
  if (!isCalendarDate(date)) throw new FeedError(`not a date: ${JSON.stringify(date)}`);
  if (!base || !quote) return skipped(UNKNOWN_NAME);
  if (rate === undefined || rate === 0) return noRate(NO_RATE);
  const units = unitsOf(outcome);
  const prices = changePrices({ ...outcome, rate }, (price) => price / units);
  const odd = Object.values(prices).find((price) => !(Number.isFinite(price) && price > 0));
  if (odd !== undefined) throw new FeedError(`not a rate of ${base}/${quote}: ${odd}`);
  return { date, base, quote, ...prices };
}

function unitsOf(figure: Figure): number {
  if (!('units' in figure)) return 1;
  if (figure.units === undefined) throw new FeedError(`no units for the rate of ${figure.base}`);
  if (!Number.isInteger(figure.units) || figure.units < 1)
    throw new FeedError(`not a number of units of ${figure.base}: ${figure.units}`);
  return figure.units;
}

/** The records of a response that give no rate: how many for each reason, and the first of them. */
interface LeftOut {
  counts: Counts;
  samples: Record<string, string | undefined>;
}

function leaveOut({ counts, samples }: LeftOut, reason: string, record: unknown, detail = ''): void {
  count(counts, reason);
  samples[reason] ??= [excerptOf(record), detail].filter(Boolean).join(': ');
}

function wordsOf({ counts, samples }: LeftOut, asked: Window | 'any day'): string {
  const days = asked === 'any day' ? '' : ` for ${asked.from} to ${asked.to}`;
  const cases = Object.entries(counts).map(
    ([reason, cases]) => `; ${cases} ${reason}, such as ${samples[reason]}`,
  );
  return `${days}${cases.join('')}`;
}

function excerptOf(record: unknown): string {
  const text = typeof record === 'string' ? record : (JSON.stringify(record) ?? String(record));
  return text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE)}…` : text;
}

const LONGEST_SAMPLE = 160;
