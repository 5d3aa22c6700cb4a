import type { Logger } from 'pino';
import { type CalendarDate, toCalendarDate } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { placeholderCredentials } from './credentials.js';
import { BEFORE_ALL, type Feed, FeedError, type RateRow } from './feed.js';
import { type Recording, recordedClient } from './http/recorded-client.js';
import { type ReadContext, type ReadRequest, type ReadResult, readRates } from './read.js';

interface ReplayRequest {
  /** First day, included. Default: the provider's first. */
  from?: CalendarDate | undefined;
  /** Last day, included. Default: unbounded. */
  to?: CalendarDate | undefined;
  /** The time of the run. Default: that of the recording. */
  now?: Date | undefined;
}

/** The valid rates of a window, sorted. Throws the feed's errors, and a FeedError if the recording lacks all of them. */
export async function replayRecording(
  feed: Feed,
  recording: Recording,
  {
    from = providerOf(feed.key)?.coverage_start ?? BEFORE_ALL,
    to,
    now = recording.recordedAt,
  }: ReplayRequest,
  log: Logger,
): Promise<RateRow[]> {
  const today = toCalendarDate(now);
  const http = recordedClient([recording]);
  const { rows, noData, unread } = await readRecorded(feed, { from, to }, { http, today, log });
  for (const document of unread) log.warn({ provider: feed.key, ...document }, "a document can't be read");
  if (rows.length === 0) requireAnswers(http.standIns(), Object.keys(noData), `${from} to ${to ?? today}`);
  return rows.sort(byDateBaseQuote);
}

/** Reads a window with responses from recordings. Throws the feed's errors. */
export async function readRecorded(
  feed: Feed,
  window: ReadRequest,
  context: Pick<ReadContext, 'http' | 'today' | 'log'>,
): Promise<ReadResult> {
  return readRates(feed, window, { ...context, credentials: placeholderCredentials(feed), recorded: true });
}

/** Only the source's own response to a request proves that it has nothing. */
function requireAnswers(standIns: readonly string[], noData: readonly string[], days: string): void {
  const [first] = standIns;
  if (first !== undefined)
    throw new FeedError(
      `the recording holds no rate of ${days}, and no answer to ${standIns.length} of the requests, such as ${first}`,
    );
  if (noData.length === 0)
    throw new FeedError(`the recording holds no rate of ${days}, and gives no documented reason`);
}

export function byDateBaseQuote(one: RateRow, other: RateRow): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  if (one.base !== other.base) return one.base < other.base ? -1 : 1;
  return one.quote < other.quote ? -1 : 1;
}
