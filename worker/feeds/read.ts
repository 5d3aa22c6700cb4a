import type { Logger } from 'pino';
import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { CredentialsRefused, type Feed, type RateRow } from './feed.js';
import type { HttpClient } from './http/client.js';

/** Banks publish today what is valid tomorrow or after the weekend. */
export const DAYS_AHEAD = 2;

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
}

/**
 * Reads a window of a feed: its rows within the window, both ends included, at twelve significant digits, and of
 * two rows with one (date, base, quote) the first. Not yet validated. Throws what the feed throws, and a
 * CredentialsRefused where a source that wants a key answers 401 or 403.
 */
export async function readRates(feed: Feed, request: ReadRequest, context: ReadContext): Promise<RateRow[]> {
  const { from } = request;
  const last = request.to ?? addDays(context.today, DAYS_AHEAD);
  const window = { from, to: request.to ?? context.today };
  if (window.from > last) return [];
  const rows = new Map<string, RateRow>();
  try {
    for await (const { date, base, quote, rate } of feed.rows(window, context)) {
      if (date < from || date > last) continue;
      const key = `${date} ${base} ${quote}`;
      if (!rows.has(key)) rows.set(key, { date, base, quote, rate: roundForStorage(rate) });
    }
  } catch (error) {
    throw refusesCredentials(feed, error) ? new CredentialsRefused(error.message, { cause: error }) : error;
  }
  return [...rows.values()];
}

function refusesCredentials(feed: Feed, error: unknown): error is HttpClientError {
  return (
    feed.credentials !== undefined &&
    error instanceof HttpClientError &&
    (error.status === 401 || error.status === 403)
  );
}
