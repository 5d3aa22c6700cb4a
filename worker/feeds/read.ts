import type { Logger } from 'pino';
import {
  addDays,
  type CalendarDate,
  daysBetween,
  eachDay,
  earlier,
  isoWeekday,
  isWeekend,
  later,
} from '../../core/domain/dates.js';
import { daysAheadOf, isOfDays, providerOf } from '../../core/domain/providers.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { normalizeCode } from './eras.js';
import { CredentialsRefused, type Feed, FeedError, type RateRow, type Reading, type Window } from './feed.js';
import { OtherThanAsked } from './feed-error.js';
import type { HttpClient } from './http/client.js';
import { withCookies } from './http/cookies.js';
import { OUTSIDE, SECOND_RATE } from './reading.js';
import { openLedger, type ReceivedResponse } from './responses.js';
import { addTally, countCase, type Tally } from './tally.js';
import { daysOf, LONGEST_CLOSURE } from './toolbox/windows.js';

export interface ReadRequest {
  from: CalendarDate;
  /** Last day, included. Absent: up to today, and what the source already gives for the days after. */
  to?: CalendarDate | undefined;
  /** The newest day that is known. A source that is asked for currency by currency is asked for the first one only, as long as that has no newer one. */
  newerThan?: CalendarDate | undefined;
}

export interface ReadContext {
  http: HttpClient;
  /** The UTC date of the run. */
  today: CalendarDate;
  credentials: Readonly<Record<string, string>>;
  log: Logger;
  /** Whether a recording answers: it gives the most similar response for a request that it does not hold. */
  recorded?: boolean | undefined;
}

/** One of many documents of a source, which could not be read: its days are to be asked for again. */
export interface UnreadDocument extends Window {
  /** One line for an operator. */
  reason: string;
}

/** What reading a window gave. */
export interface ReadResult {
  /** Rates within the window, not yet validated. */
  rows: RateRow[];
  /** Records that gave no rate, by reason, with samples of them. */
  skipped: Tally;
  /** The documented reasons for which responses had no rates, or the source was not asked; samples are addresses. */
  noData: Tally;
  /** Documents that could not be read, each of some days within the window. */
  unread: UnreadDocument[];
  /** Every response in the order in which they came. */
  responses: ReceivedResponse[];
}

/**
 * Reads a window of a feed: its rates within the window, both ends included, at twelve significant digits, and of
 * two with one (date, base, quote) the first; and what became of every record and response. Throws what the feed
 * throws; a FeedError that names a response which the feed forgot to read; one where a weekday was not asked for;
 * and a CredentialsRefused where a source that wants a key answers 401 or 403.
 */
export async function readRates(feed: Feed, request: ReadRequest, context: ReadContext): Promise<ReadResult> {
  const last = request.to ?? addDays(context.today, daysAheadOf(feed.key));
  const window = { from: request.from, to: request.to ?? context.today };
  const result: ReadResult = { rows: [], skipped: {}, noData: {}, unread: [], responses: [] };
  if (window.from > last) return result;
  const asked = {
    from: later(window.from, feed.firstDay ?? window.from),
    to: earlier(window.to, feed.lastDay ?? window.to),
  };
  if (asked.from > asked.to) {
    const reason = whyNotAsked(window, asked);
    countCase(result.noData, reason, () => `${window.from} to ${window.to}`);
    return result;
  }
  const ledger = openLedger(withCookies(context.http));
  const collected = collectRows(feed.key, { from: window.from, to: last }, result.skipped);
  const documents = openDocuments(result.unread);
  try {
    for await (const reading of feed.read(asked, { ...context, ...ledger })) {
      ledger.settle(reading);
      addTally(result.skipped, reading.skipped);
      if (documents.isUnread(reading, faultOf(reading, feed, context))) continue;
      const reason = whyNoData(reading, feed);
      if (reason !== undefined) countCase(result.noData, reason, () => addressOf(reading));
      for (const printed of reading.rates) collected.add(printed);
      const isFirst = feed.currencyByCurrency && ledger.readings() === 1;
      if (isFirst && endsOn(reading, request.newerThan, asked)) break;
    }
    ledger.requireAllSettled();
    documents.requireMost();
    requireWorkdays(feed, collected.dates);
  } catch (error) {
    throw refusesCredentials(feed, error)
      ? new CredentialsRefused(error.message, { cause: error })
      : withAddress(error, ledger.latest()?.url);
  }
  result.responses = ledger.received();
  result.rows = collected.rows();
  if (ledger.readings() === 0) noteNothingAsked(result, feed, asked);
  noteGaps(result, feed, asked);
  return result;
}

/** Collects the rows of a window: what codes mean, at twelve significant digits, of two of one pair and day the first. */
function collectRows(key: string, window: Window, skipped: Tally) {
  const rows = new Map<string, RateRow>();
  const dates = new Set<CalendarDate>();
  let outside: string | undefined;
  return {
    /** All days of which there are rates, also outside the window. */
    dates,
    add(printed: RateRow): void {
      const meant = normalizeCode(key, printed);
      if ('dropped' in meant) {
        countCase(skipped, meant.dropped, () => `${printed.date} ${printed.base}/${printed.quote}`);
        return;
      }
      const { date, base, quote } = meant;
      dates.add(date);
      if (date < window.from || date > window.to) {
        outside ??= `${date} ${base}/${quote}`;
        return;
      }
      const [pair, rate] = [`${date} ${base} ${quote}`, roundForStorage(meant.rate)];
      const known = rows.get(pair);
      if (!known) rows.set(pair, { date, base, quote, rate });
      else if (known.rate !== rate)
        countCase(skipped, SECOND_RATE, () => `${pair}: ${meant.rate} after ${known.rate}`);
    },
    rows(): RateRow[] {
      const sample = outside;
      // An archive that has nothing of the window: the run says so.
      if (rows.size === 0 && sample !== undefined) countCase(skipped, OUTSIDE, () => sample);
      return [...rows.values()];
    },
  };
}

/** Keeps account of the documents of a run, and adds to `unread` those that can't be read. */
function openDocuments(unread: UnreadDocument[]) {
  const faults: Error[] = [];
  let count = 0;
  return {
    /** Whether a reading is of a document that can't be read. Throws a fault of any other reading. */
    isUnread({ document }: Reading, fault: Error | undefined): boolean {
      if (document) count++;
      if (!fault) return false;
      if (!document) throw fault;
      faults.push(fault);
      unread.push({ ...document, reason: fault.message });
      return true;
    },
    /** One may be odd. Where none can be read, or most of many can't, the source is another one: throws the first fault. */
    requireMost(): void {
      const [first] = faults;
      const areMany = faults.length >= MANY_DOCUMENTS && faults.length > count / 2;
      if (first && (faults.length === count || areMany)) throw first;
    },
  };
}

/** Why a reading is none: its document can't be read, is about something else, or is without rates for no reason. */
function faultOf(reading: Reading, feed: Feed, { recorded }: ReadContext): Error | undefined {
  const { fault, mismatch, without } = reading;
  if (fault) return fault;
  if (mismatch !== undefined && !recorded) return new OtherThanAsked(`${addressOf(reading)}: ${mismatch}`);
  if (without === undefined || feed[without] !== undefined) return undefined;
  const which = without === 'empty' ? 'without records' : 'with marks of "no rate" alone';
  return new OtherThanAsked(
    `${addressOf(reading)}: no records that hold a rate, and ${feed.key} documents no response ${which}: blocked, moved or redesigned`,
  );
}

/**
 * Whether a reading goes up to the newest day that is known, and no further. Not where the window reaches into another month: a
 * source may have a document for each.
 */
function endsOn({ rates }: Reading, newest: CalendarDate | undefined, { to }: Window): boolean {
  if (newest === undefined || newest.slice(0, 7) !== to.slice(0, 7)) return false;
  return rates.some(({ date }) => date === newest) && rates.every(({ date }) => date <= newest);
}

function whyNoData({ without, noData }: Reading, feed: Feed): string | undefined {
  return without === undefined ? noData : feed[without];
}

function addressOf({ response }: Reading): string {
  return response?.url ?? '';
}

const MANY_DOCUMENTS = 10;

/**
 * Counts the days of stretches without a rate that are longer than any bank is closed, from the source's first day on. Where
 * that is all of the window, a response that is empty or blank is no reason any more: a server that has lost its data
 * answers so too. What monthly sources have not published yet is no gap, nor
 * is a period that an official rate is valid for.
 */
function noteGaps(result: ReadResult, feed: Feed, asked: Window): void {
  const provider = providerOf(feed.key);
  if (!provider?.coverage_start || provider.publish_cadence === 'monthly' || !isOfDays(feed.key)) return;
  const days = [...new Set(result.rows.map(({ date }) => date))].sort();
  let previous = addDays(later(asked.from, provider.coverage_start), -1);
  for (const day of [...days, addDays(asked.to, 1)]) {
    if (daysBetween(previous, day) - 1 > LONGEST_CLOSURE) {
      const stretch = `${addDays(previous, 1)} to ${addDays(day, -1)}`;
      for (const _ of eachDay(addDays(previous, 1), addDays(day, -1)))
        countCase(result.skipped, GAP, () => stretch);
      if (days.length === 0)
        for (const reason of [feed.empty, feed.blank]) delete result.noData[reason ?? ''];
    }
    previous = day;
  }
}

/**
 * Throws a FeedError where there are rates of weekends and on one of the weekdays hardly any, of a source that publishes
 * from Monday to Friday: its dates are misread, by a year or by a day.
 */
function requireWorkdays(feed: Feed, dates: ReadonlySet<CalendarDate>): void {
  const schedule = providerOf(feed.key)?.publish_schedule;
  if (feed.weekends || !schedule?.endsWith(' 1-5') || dates.size < MANY_DATES) return;
  const counts = Array<number>(8).fill(0);
  for (const date of dates) counts[isoWeekday(date)] = (counts[isoWeekday(date)] ?? 0) + 1;
  const [, ...weekdays] = counts;
  const weekend = weekdays.splice(5).reduce((sum, count) => sum + count, 0);
  if (weekend > dates.size / 10 && Math.min(...weekdays) < dates.size / 50)
    throw new FeedError(
      `${feed.key}: of ${dates.size} dates ${weekend} are of weekends, and hardly any of one of the weekdays: misread`,
    );
}

const MANY_DATES = 10;

const GAP = 'no rate for more than two weeks';

function whyNotAsked(window: Window, asked: Window): string {
  if (window.from > window.to) return 'after today';
  return asked.from > window.from ? `before the first day, ${asked.from}` : `after the last day, ${asked.to}`;
}

/** A feed asks for every weekday, unless it says why not: only a weekend may pass without a request. */
function noteNothingAsked(result: ReadResult, feed: Feed, asked: Window): void {
  const { unasked } = feed;
  if (unasked !== undefined) {
    countCase(result.noData, unasked, () => `${asked.from} to ${asked.to}`);
    return;
  }
  for (const day of daysOf(asked)) {
    if (!isWeekend(day)) throw new FeedError(`${feed.key}: asked for nothing, though ${day} is a weekday`);
  }
  countCase(result.noData, 'only a weekend', () => `${asked.from} to ${asked.to}`);
}

/** An error of a tool that knows no address gets that of the last response. */
function withAddress(error: unknown, url: string | undefined): unknown {
  if (error instanceof FeedError && url !== undefined && !error.message.includes('://')) {
    error.message = `${url}: ${error.message}`;
  }
  return error;
}

function refusesCredentials(feed: Feed, error: unknown): error is HttpClientError {
  return (
    feed.credentials !== undefined &&
    error instanceof HttpClientError &&
    (error.status === 401 || error.status === 403)
  );
}
