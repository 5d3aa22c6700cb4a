import type { Logger } from 'pino';
import type { RunResponse } from '../../core/database/run-responses.js';
import {
  addDays,
  type CalendarDate,
  daysBetween,
  earlier,
  isoWeekday,
  later,
} from '../../core/domain/dates.js';
import { daysAheadOf, isOfDays, providerOf } from '../../core/domain/providers.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { changePrices } from '../../core/domain/sides.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { maskValues } from '../../core/http-client/secrets.js';
import { withoutSecrets } from './credentials.js';
import { normalizeCode } from './eras.js';
import { CredentialsRefused, type Feed, FeedError, type RateRow, type Reading, type Window } from './feed.js';
import type { HttpClient } from './http/client.js';
import { withCookies } from './http/cookies.js';
import { OUTSIDE, pairAndDay, SECOND_RATE } from './reading.js';
import { openLedger } from './responses.js';
import { pricesOf } from './sides.js';
import { type Counts, count } from './tally.js';
import { LONGEST_CLOSURE, weekdaysOf } from './toolbox/windows.js';
import { type Validated, validate } from './validate.js';

export interface ReadRequest {
  from: CalendarDate;
  /** Last day, included. Default: today and the days after it that the source already has. */
  to?: CalendarDate | undefined;
  /** The newest known day. A source with one request per currency is asked for the first one until it has a newer day. */
  newerThan?: CalendarDate | undefined;
}

export interface ReadContext {
  http: HttpClient;
  today: CalendarDate;
  credentials: Readonly<Record<string, string>>;
  log: Logger;
  /** Whether responses come from a recording, which answers an unknown request with the most similar one. */
  recorded?: boolean | undefined;
}

/** One of many documents of a source that could not be read. Its days must be requested again. */
interface UnreadDocument extends Window {
  reason: string;
}

/** The result of reading a window. `rows` are the rates that would be stored. */
export interface ReadResult extends Validated<RateRow> {
  skipped: Counts;
  /** The documented reasons why responses had no rates, or nothing was requested. */
  noData: Counts;
  /** Documents that could not be read, each of some days within the window. */
  unread: UnreadDocument[];
  /** How responses from a recording differ from what was requested. In a live run, this is an error. */
  mismatches: string[];
  responses: RunResponse[];
}

/**
 * Reads a window of a feed: its rates, at twelve significant digits, the first of each (date, base, quote), and what became of
 * every record and response. Drops what can't be a rate of the provider, and masks credentials that the source has echoed.
 * Throws the feed's errors; a FeedError for a response without a reading, or a weekday that was not requested; a
 * CredentialsRefused if a source with a key responds with 401 or 403.
 */
export async function readRates(feed: Feed, request: ReadRequest, context: ReadContext): Promise<ReadResult> {
  const secrets = Object.values(context.credentials).filter((value) => value !== '');
  const masked = (text: string) => maskValues(text, secrets);
  try {
    const read = await readWindow(feed, request, context);
    return {
      ...read,
      ...validate(read.rows, { today: context.today, provider: feed.key }),
      unread: read.unread.map(({ fault, ...days }) => ({ ...days, reason: masked(fault.message) })),
      responses: read.responses.map((one) => ({ ...one, url: masked(one.url) })),
    };
  } catch (error) {
    throw withoutSecrets(error, secrets);
  }
}

type Unvalidated = Omit<ReadResult, 'dropped' | 'unread'> & { unread: (Window & { fault: Error })[] };

async function readWindow(feed: Feed, request: ReadRequest, context: ReadContext): Promise<Unvalidated> {
  const last = request.to ?? addDays(context.today, daysAheadOf(feed.key));
  const window = { from: request.from, to: request.to ?? context.today };
  const result: Unvalidated = {
    rows: [],
    skipped: {},
    noData: {},
    unread: [],
    mismatches: [],
    responses: [],
  };
  if (window.from > last) return result;
  const asked = {
    from: later(window.from, feed.firstDay ?? window.from),
    to: earlier(window.to, feed.lastDay ?? window.to),
  };
  if (asked.from > asked.to) {
    count(result.noData, whyNotAsked(window, asked));
    return result;
  }
  const ledger = openLedger(withCookies(context.http));
  const collected = collectRows(feed.key, { from: window.from, to: last }, result.skipped);
  let documents = 0;
  try {
    for await (const reading of feed.read(asked, { ...context, ...ledger })) {
      ledger.settle(reading);
      if (reading.document) documents++;
      for (const printed of ratesOf(reading, feed, context, result)) collected.add(printed);
      const isFirst = feed.currencyByCurrency && ledger.readings() === 1;
      if (isFirst && endsOn(reading, request.newerThan, asked)) break;
    }
    ledger.requireAllSettled();
    requireMostDocuments(documents, result.unread);
    requireWorkdays(feed, collected.dates);
  } catch (error) {
    throw refusesCredentials(feed, error)
      ? new CredentialsRefused(error.message, { cause: error })
      : withAddress(error, ledger.received().at(-1)?.url);
  }
  result.responses = ledger.received();
  result.rows = collected.rows();
  if (ledger.readings() === 0) noteNothingAsked(result, feed, asked);
  noteGaps(result, feed, asked);
  return result;
}

/** The rates of a reading; none of an unreadable document. Adds what else it says to the result. Throws any other fault. */
function ratesOf(
  reading: Reading,
  feed: Feed,
  context: ReadContext,
  { skipped, mismatches, unread, noData }: Unvalidated,
): readonly RateRow[] {
  for (const [reason, cases] of Object.entries(reading.skipped)) count(skipped, reason, cases);
  if (reading.mismatch !== undefined) mismatches.push(`${addressOf(reading)}: ${reading.mismatch}`);
  const fault = faultOf(reading, feed, context);
  if (fault) {
    if (!reading.document) throw fault;
    unread.push({ ...reading.document, fault });
    return [];
  }
  const reason = reading.without === undefined ? reading.noData : feed[reading.without];
  if (reason !== undefined) count(noData, reason);
  return reading.rates;
}

/** Collects rows with corrected codes and twelve significant digits, keeping the first row of a pair and day. */
function collectRows(key: string, window: Window, skipped: Counts) {
  const rows = new Map<string, RateRow>();
  const dates = new Set<CalendarDate>();
  let isAnyOutside = false;
  return {
    /** All days with rates, including those outside the window. */
    dates,
    add(printed: RateRow): void {
      const meant = normalizeCode(key, printed);
      if ('dropped' in meant) {
        count(skipped, meant.dropped);
        return;
      }
      const { date, base, quote } = meant;
      dates.add(date);
      if (date < window.from || date > window.to) {
        isAnyOutside = true;
        return;
      }
      const pair = pairAndDay(meant);
      const row = { date, base, quote, ...changePrices(meant, roundForStorage) };
      const known = rows.get(pair) ?? row;
      // A document may have the sides that another one with the same rate lacks.
      const both = { ...row, ...known };
      if (pricesOf(both) === pricesOf({ ...known, ...row })) rows.set(pair, both);
      else count(skipped, SECOND_RATE);
    },
    rows(): RateRow[] {
      // Reports that an archive has nothing in the window.
      if (rows.size === 0 && isAnyOutside) count(skipped, OUTSIDE);
      return [...rows.values()];
    },
  };
}

const MANY_DOCUMENTS = 10;

/** Throws the first fault if no document, or less than half of many, can be read: the source has changed. */
function requireMostDocuments(documents: number, unread: Unvalidated['unread']): void {
  const areMany = unread.length >= MANY_DOCUMENTS && unread.length > documents / 2;
  if (unread[0] && (unread.length === documents || areMany)) throw unread[0].fault;
}

/** Why a reading is invalid: an unreadable document, another subject, or no rates for no documented reason. */
function faultOf(reading: Reading, feed: Feed, { recorded }: ReadContext): Error | undefined {
  const { fault, mismatch, without } = reading;
  if (fault) return fault;
  if (mismatch !== undefined && !recorded) return new FeedError(`${addressOf(reading)}: ${mismatch}`);
  if (without === undefined || feed[without] !== undefined) return undefined;
  const which = without === 'empty' ? 'without records' : 'with marks of "no rate" alone';
  return new FeedError(
    `${addressOf(reading)}: no records that hold a rate, and ${feed.key} documents no response ${which}: blocked, moved or redesigned`,
  );
}

/** Whether a reading ends on the newest known day. A source may have a separate document for another month. */
function endsOn({ rates }: Reading, newest: CalendarDate | undefined, { to }: Window): boolean {
  if (newest === undefined || newest.slice(0, 7) !== to.slice(0, 7)) return false;
  return rates.some(({ date }) => date === newest) && rates.every(({ date }) => date <= newest);
}

function addressOf({ response }: Reading): string {
  return response?.url ?? '';
}

/**
 * Counts the days of gaps that are longer than any bank is closed. If the whole window is one, an empty response no longer
 * counts as documented, because a server that has lost its data responds in the same way. Monthly sources and periods of an official
 * rate have no gaps.
 */
function noteGaps(result: Unvalidated, feed: Feed, asked: Window): void {
  const provider = providerOf(feed.key);
  if (!provider?.coverage_start || provider.publish_cadence === 'monthly' || !isOfDays(feed.key)) return;
  const days = [...new Set(result.rows.map(({ date }) => date))].sort();
  let previous = addDays(later(asked.from, provider.coverage_start), -1);
  for (const day of [...days, addDays(asked.to, 1)]) {
    const missing = daysBetween(previous, day) - 1;
    if (missing > LONGEST_CLOSURE) {
      count(result.skipped, GAP, missing);
      if (days.length === 0)
        for (const reason of [feed.empty, feed.blank]) delete result.noData[reason ?? ''];
    }
    previous = day;
  }
}

/** Throws a FeedError if a source of working days has many rates on weekends and hardly any on one weekday: misread. */
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

/** A feed requests every weekday, unless it says why not. Only a weekend may pass without a request. */
function noteNothingAsked({ noData }: Unvalidated, feed: Feed, asked: Window): void {
  const [weekday] = weekdaysOf(asked);
  if (feed.unasked === undefined && weekday !== undefined)
    throw new FeedError(`${feed.key}: asked for nothing, though ${weekday} is a weekday`);
  count(noData, feed.unasked ?? 'only a weekend');
}

/** Adds the URL of the last response to an error without one. */
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
