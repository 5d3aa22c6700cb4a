import type { Logger } from 'pino';
import type { CalendarDate } from '../../core/domain/dates.js';
import type { HttpClient } from './http/client.js';
import type { Reading, Window } from './reading.js';

// All that a bank's text needs of the contract comes from here.
export { CredentialsRefused, CutShort, excerpt, FeedError } from './feed-error.js';
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

/** Before any source begins: where history is asked for whole and no first day is known. */
export const BEFORE_ALL: CalendarDate = '1940-01-01';

/** The two ways in which a feed asks its source. */
export interface FeedClients {
  /** For responses that hold rates. Each one needs a Reading. */
  http: HttpClient;
  /** For responses that only lead to others: a listing, a form with its token, today's codes. */
  navigation: HttpClient;
}

/** What a feed works with. It has no clock, no database and no environment of its own. */
export interface FeedContext extends FeedClients {
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
  /** The first day of the source is not known: its backfill ends with the first step that is documented "no data". */
  backfillUntilEmpty?: true;
  /**
   * Days before the newest one that are asked for again: of a source that corrects its rates, or adds to them, later
   * than others do. 7 where absent.
   */
  correctionDays?: number;
  /** Milliseconds between two requests to one of its hosts, as far as its operator asks for it; 500 where absent. */
  pauseMs?: number;
  /** It is asked for one day after another. */
  dayByDay?: true;
  /** It is asked for one currency after another: as long as the first has nothing new, nor have the others. */
  currencyByCurrency?: true;
  /**
   * Grows by one with every change of what the feed makes of a response, such as a column that was misread: rates that
   * differ from then on are distinguished from those that the source restated. 1 where absent.
   */
  reading?: number;
  /** Environment variables without which the source does not answer. */
  credentials?: readonly string[];
  /** How the source documents that it has nothing, where a response without records is no error: "a holiday is an empty list". */
  empty?: string;
  /**
   * Why weekdays may pass without a request, such as "no month begins in the window" of a source whose rates hold
   * for a month. Absent: a run that asks for nothing on a weekday is an error.
   */
  unasked?: string;
  /** The same for a response whose records have no rate, but null, blank, zero or a mark: "days without a rate are marked ND". */
  blank?: string;
  /** Whether its dates skip a weekday for a Saturday, as where a rate is dated by the first day it is valid. */
  weekends?: true;
  /** The first day that the source has; it is not asked for earlier ones. */
  firstDay?: CalendarDate;
  /** The last day that the source has, where it is an archive; it is not asked for later ones. */
  lastDay?: CalendarDate;
  /**
   * Reads the window. Every response that came through `http` ends in one of three:
   *
   * - `yield ratesFrom(response, …)`: its records, each a rate or skipped with a reason;
   * - `yield noData(response, reason)`: the source documents that it has nothing there, and how it says so;
   * - a FeedError, or `yield mismatch(response, what)`: the response has another form than the documented one, or
   *   is about something else than what was asked for.
   *
   * `yield await oneOfMany(days, () => …)` reads a document of some days, such as a bulletin: where it can't be read, these
   * days alone are set aside. A response with neither fails the run, and so does a run that asked for nothing on a weekday: a feed can't
   * end in silence. It may yield more days than the window: the caller trims, validates and keeps the first of
   * two rates with one (date, base, quote).
   */
  read(window: Window, context: FeedContext): AsyncIterable<Reading>;
}
