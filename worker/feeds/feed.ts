import type { Logger } from 'pino';
import type { CalendarDate } from '../../core/domain/dates.js';
import type { HttpClient } from './http/client.js';

/** One unit of `base` costs `rate` units of `quote` on `date`, as the source published it. */
export interface RateRow {
  date: CalendarDate;
  base: string;
  quote: string;
  /** NaN for a printed number that can't be meant: it is dropped and counted as malformed. */
  rate: number;
}

/** Days wanted, both ends included. */
export interface Window {
  from: CalendarDate;
  to: CalendarDate;
}

/** What a feed works with. It has no clock, no database and no environment of its own. */
export interface FeedContext {
  http: HttpClient;
  /** The UTC date of the run. */
  today: CalendarDate;
  /** The values of the variables that the feed names in `credentials`; all are present. */
  credentials: Readonly<Record<string, string>>;
  log: Logger;
}

/** How one source is read. Its description (name, schedule, links) is data, in `data/providers.json`. */
export interface Feed {
  /** The provider's key in `data/providers.json`. */
  key: string;
  /** Days to ask for in one step of a backfill; the whole history at once where absent. */
  backfillDays?: number;
  /** Environment variables without which the source does not answer. */
  credentials?: readonly string[];
  /**
   * Yields the rows of the window. It may yield more than the window: the caller trims, validates and keeps
   * the first of two rows with one (date, base, quote). A source that has no rows there yields none; a source
   * that answers anything but its documented form throws a FeedError.
   */
  rows(window: Window, context: FeedContext): AsyncIterable<RateRow>;
}

/** A source answered something other than its documented form. The message tells an operator what to look at. */
export class FeedError extends Error {
  override readonly name: string = 'FeedError';
}

/** A source refused the key it was given, which is not the same as having no rates. */
export class CredentialsRefused extends FeedError {
  override readonly name = 'CredentialsRefused';
}
