import type { Logger } from 'pino';
import { addDays, type CalendarDate, earlier, isWeekend, later } from '../../core/domain/dates.js';
import { daysAheadOf } from '../../core/domain/providers.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { CredentialsRefused, type Feed, FeedError, type RateRow, type Reading, type Window } from './feed.js';
import type { HttpClient } from './http/client.js';
import { OUTSIDE } from './reading.js';
import { openLedger, type ReceivedResponse } from './responses.js';
import { addTally, countCase, type Tally } from './tally.js';
import { daysOf } from './toolbox/windows.js';

export interface ReadRequest {
  from: CalendarDate;
  /** Last day, included. Absent: up to today, and what the source already gives for the days after. */
  to?: CalendarDate | undefined;
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

/** What reading a window gave. */
export interface ReadResult {
  /** Rates within the window, not yet validated. */
  rows: RateRow[];
  /** Records that gave no rate, by reason, with samples of them. */
  skipped: Tally;
  /** The documented reasons for which responses had no rates, or the source was not asked; samples are addresses. */
  noData: Tally;
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
  const result: ReadResult = { rows: [], skipped: {}, noData: {}, responses: [] };
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
  const ledger = openLedger(context.http);
  const rows = new Map<string, RateRow>();
  let trimmed: string | undefined;
  try {
    for await (const reading of feed.read(asked, { ...context, ...ledger })) {
      ledger.settle(reading);
      addTally(result.skipped, reading.skipped);
      if (reading.mismatch !== undefined && !context.recorded)
        throw new FeedError(`${reading.response.url}: ${reading.mismatch}`);
      const reason = whyNoData(reading, feed);
      if (reason !== undefined) countCase(result.noData, reason, () => reading.response.url);
      for (const { date, base, quote, rate } of reading.rates) {
        if (date < window.from || date > last) {
          trimmed ??= `${date} ${base}/${quote}`;
          continue;
        }
        const key = `${date} ${base} ${quote}`;
        if (!rows.has(key)) rows.set(key, { date, base, quote, rate: roundForStorage(rate) });
      }
    }
    ledger.requireAllSettled();
  } catch (error) {
    throw refusesCredentials(feed, error)
      ? new CredentialsRefused(error.message, { cause: error })
      : withAddress(error, ledger.latest()?.url);
  }
  result.responses = ledger.received();
  result.rows = [...rows.values()];
  // An archive that has nothing of the window: the run says so.
  const stray = trimmed;
  if (rows.size === 0 && stray !== undefined) countCase(result.skipped, OUTSIDE, () => stray);
  if (ledger.readings() === 0) noteNothingAsked(result, feed, asked);
  return result;
}

function whyNoData({ response, isEmpty, noData }: Reading, feed: Feed): string | undefined {
  if (isEmpty && feed.empty === undefined)
    throw new FeedError(`${response.url}: no records that hold a rate`);
  return isEmpty ? feed.empty : noData;
}

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
