import type { Logger } from 'pino';
import { addDays, type CalendarDate } from '../../core/dates.js';
import { atRest } from '../../core/numbers.js';
import type { HttpClient } from '../http/client.js';
import type { Feed, RateRow } from './feed.js';

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
 * two rows with one (date, base, quote) the first. Not yet validated. Throws what the feed throws.
 */
export async function readRates(feed: Feed, request: ReadRequest, context: ReadContext): Promise<RateRow[]> {
  const { from } = request;
  const last = request.to ?? addDays(context.today, DAYS_AHEAD);
  const window = { from, to: request.to ?? context.today };
  if (window.from > last) return [];
  const rows = new Map<string, RateRow>();
  for await (const { date, base, quote, rate } of feed.rows(window, context)) {
    if (date < from || date > last) continue;
    const key = `${date} ${base} ${quote}`;
    if (!rows.has(key)) rows.set(key, { date, base, quote, rate: atRest(rate) });
  }
  return [...rows.values()];
}
