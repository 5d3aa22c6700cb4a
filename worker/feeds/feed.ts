import type { Logger } from 'pino';
import type { CalendarDate } from '../../core/domain/dates.js';
import type { HttpClient } from './http/client.js';
import type { Reading, Window } from './reading.js';

// Exports the whole contract that the code of a bank needs.
export { CredentialsRefused, excerpt, FeedError } from './feed-error.js';
export {
  type AskedDays,
  type Figure,
  mismatch,
  noData,
  noRate,
  oneOfMany,
  type RateRow,
  type Reading,
  ratesFrom,
  type Skip,
  skipped,
  type Window,
} from './reading.js';
export { sidesOf, withSides } from './sides.js';

/** A date before any source begins, for a complete history without a known first day. */
export const BEFORE_ALL: CalendarDate = '1940-01-01';

/** What a feed works with. It has no access to a clock, a database or the environment. */
export interface FeedContext {
  /** For responses with rates. Each of them needs a Reading. */
  http: HttpClient;
  /** For responses that only lead to others: a listing, a form with its token, today's codes. */
  navigation: HttpClient;
  today: CalendarDate;
  /** The values of the variables named in the feed's `credentials`. All are present. */
  credentials: Readonly<Record<string, string>>;
  log: Logger;
}

/** How to read one source. Its description (name, schedule, links) is data, in `data/providers.json`. */
export interface Feed {
  /** The provider's key in `data/providers.json`. */
  key: string;
  /** Days to request in one step of a backfill. Default: the whole history at once. */
  backfillDays?: number;
  /** The first day of the source is unknown. Its backfill ends with the first step that is a documented "no data". */
  backfillUntilEmpty?: true;
  /** How many days before the newest to request again, for a source that corrects or adds to its rates late. Default: 7. */
  correctionDays?: number;
  /** Milliseconds between two requests to one of its hosts, if its operator asks for a pause. Default: 500. */
  pauseMs?: number;
  dayByDay?: true;
  /** The feed sends one request per currency. If the first has nothing new, the others don't either. */
  currencyByCurrency?: true;
  /** Increases with every change of how the feed reads a response, to tell such changes from restated rates. Default: 1. */
  reading?: number;
  credentials?: readonly string[];
  /** How the source documents that it has nothing, if a response without records is valid: "a holiday is an empty list". */
  empty?: string;
  /** Why weekdays may pass without a request: "no month begins in the window". If absent, such a run is an error. */
  unasked?: string;
  /** Like `empty`, for records with null, blank, zero or a mark instead of a rate: "days without a rate are marked ND". */
  blank?: string;
  /** Whether its dates skip a weekday and include Saturdays, such as rates dated by their first valid day. */
  weekends?: true;
  /** The first day of the source. Earlier days are not requested. */
  firstDay?: CalendarDate;
  /** The last day of an archive. Later days are not requested. */
  lastDay?: CalendarDate;
  /**
   * Reads the window. Every response received through `http` ends in one of three ways:
   *
   * - `yield ratesFrom(response, …)`: its records, each a rate or skipped with a reason;
   * - `yield noData(response, reason)`: the source documents that it has nothing there, and how it says so;
   * - a FeedError, or `yield mismatch(response, what)`: the response differs from the documented format, or is about
   *   something else than what was requested.
   *
   * `yield await oneOfMany(days, () => …)` reads a document of some days, such as a bulletin. If it can't be read, only
   * these days are set aside. A response without any of these fails the run, and so does a run that requests nothing on a
   * weekday, so a feed can't end silently. The feed may yield more days than the window: the caller trims, validates and
   * keeps the first of two rates with the same (date, base, quote).
   */
  read(window: Window, context: FeedContext): AsyncIterable<Reading>;
}
